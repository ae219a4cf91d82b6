// Only core/policies compares policy kinds; all other code asks the kind. The test reads the source of the product.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { PolicyKind } from '../../core/contract/policies.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const ROOMS = ['core', 'functions', 'infra', 'operations', 'place', 'views', 'cli', 'console']

const KINDS = Object.values(PolicyKind).join('|')
const COMPARISON = new RegExp(
  [
    // A comparison with a kind on either side, and a case of a switch.
    String.raw`(?:[=!]==?|\bcase)\s*PolicyKind\b`,
    String.raw`\bPolicyKind\.\w+\s*[=!]==?`,
    String.raw`\bkind\s*[=!]==?\s*'(?:${KINDS})'`,
    String.raw`\bcase\s*'(?:${KINDS})'`,
    // Destructured kinds, which can be compared or listed by name, and a list or a table of kinds.
    String.raw`\}\s*=\s*PolicyKind\b`,
    String.raw`\[\s*PolicyKind\.`,
    String.raw`\[\s*'(?:${KINDS})'`,
  ].join('|'),
)

test('no file outside core/policies compares policy kinds', () => {
  const files = ROOMS.flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: root })).filter(
    (file) => !file.startsWith(path.join('core', 'policies') + path.sep),
  )
  expect(files).toContain(path.join('core', 'treasury', 'policy-rules.ts'))
  expect(files.filter((file) => COMPARISON.test(readFileSync(path.join(root, file), 'utf8')))).toEqual([])
})

describe('a comparison of kinds is found', () => {
  test.each([
    'policy.kind === PolicyKind.Rebalance',
    "configured?.kind !== 'fund'",
    'PolicyKind.Sweep === policy.kind',
    'switch (policy.kind) {\n    case PolicyKind.Fund:',
    "switch (kind) {\n    case 'convert-on-arrival':",
    'const { Rebalance } = PolicyKind',
    '[PolicyKind.Rebalance]: 1',
    "const WITHDRAWING = ['sweep', 'convert-and-withdraw']",
  ])('%s', (line) => {
    expect(line).toMatch(COMPARISON)
  })
})
