// A reader may copy each example of docs/policies.md, because all pass the checks.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { PolicyKind } from '../../../core/contract/policies.ts'
import { parseTreasury } from '../../../core/treasury/config.ts'

const page = readFileSync(path.resolve(import.meta.dirname, '../../../docs/policies.md'), 'utf8')

test('the treasury.json of docs/policies.md passes every check', () => {
  const [, example = ''] = /```json\n(.*?)```/s.exec(page) ?? []
  expect(Object.keys(parseTreasury(example).policies)).toEqual(['balanced', 'to-cold'])
})

test('docs/policies.md has an example of each kind of policy, and all of them pass every check', () => {
  const examples = [...page.matchAll(/```json\n(\{\n.*?)```/gs)].map(([, text = '']) => parseTreasury(text).policies)
  const kinds = examples.flatMap((policies) => Object.values(policies).map(({ kind }) => kind))
  expect([...new Set(kinds)].sort()).toEqual(Object.values(PolicyKind).sort())
})

test('docs/policies.md covers every kind of policy', () => {
  for (const kind of Object.values(PolicyKind)) expect(page).toContain(`| \`${kind}\` |`)
})
