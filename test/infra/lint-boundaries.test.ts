// Tests the linter's import rules and the rule for decision code with files that break them.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { folderOfFile } from '../helpers/folders.ts'
import { boundaries } from './boundaries.ts'

// Biome reads one folder of offending files with the repository's configuration, once for all tests.
const root = fileURLToPath(new URL('../../', import.meta.url))

const folder = folderOfFile()

interface Finding {
  readonly category: string
  readonly location: { readonly path: string; readonly start: { readonly line: number } }
}

let findings: readonly Finding[]

const decisions = [
  'functions/quote/ambient.ts',
  'core/money/ambient.ts',
  'core/journal/ambient.ts',
  'core/movements/conversion/ambient.ts',
  'core/service/ambient.ts',
  'core/keys/ambient.ts',
]

const notDecisions = [
  'core/service/http.ts',
  'functions/quote/handler.ts',
  'core/clock.ts',
  'packages/service-sandbox/service/ambient.ts',
  'cli/ambient.ts',
]

const ambient = [
  'Date.now()',
  'new Date()',
  'performance.now()',
  'Math.random()',
  'crypto.randomUUID()',
  'setTimeout(() => {}, 1)',
  'process.env.ANY',
]

const put = (path: string, lines: readonly string[]) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), `${lines.join('\n')}\n`)
}

beforeAll(() => {
  const { vcs: _, $schema: __, ...configuration } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
  put('biome.json', [JSON.stringify(configuration)])
  cpSync(join(root, '.biome'), join(folder, '.biome'), { recursive: true })
  for (const [path, { may, mayNot }] of Object.entries(boundaries)) {
    put(
      path,
      [...may, ...mayNot].map((specifier, index) => `export * as m${index} from '${specifier}'`),
    )
  }
  for (const path of [...decisions, ...notDecisions]) {
    put(
      path,
      ambient.map((expression, index) => `export const a${index} = () => ${expression}`),
    )
  }
  put('cli/one.ts', ["import { two } from './two.ts'", 'export const one = () => two'])
  put('cli/two.ts', ["import { one } from './one.ts'", 'export const two = () => one'])

  const biome = join(root, 'node_modules/.bin/biome')
  const run = spawnSync(biome, ['lint', '--reporter=json', '--max-diagnostics=none', '.'], {
    cwd: folder,
    encoding: 'utf8',
  })
  findings = JSON.parse(run.stdout).diagnostics
})

const linesFound = (category: string, path: string): number[] =>
  findings
    .filter((finding) => finding.category === category && finding.location.path === path)
    .map((finding) => finding.location.start.line)

describe('imports across a boundary are refused, and others are allowed', () => {
  test.each(Object.entries(boundaries))('%s', (path, { may, mayNot }) => {
    const refused = new Set(linesFound('lint/style/noRestrictedImports', path))
    const specifiers = [...may, ...mayNot]
    expect(specifiers.filter((_, index) => refused.has(index + 1))).toEqual(mayNot)
  })
})

describe('clock, randomness, timers and the environment', () => {
  test.each(decisions)('are refused in %s', (path) => {
    const refused = new Set(linesFound('plugin', path))
    expect(ambient.filter((_, index) => !refused.has(index + 1))).toEqual([])
  })

  test.each(notDecisions)('are left alone in %s', (path) => {
    expect(linesFound('plugin', path)).toEqual([])
  })
})

test('two files that import each other are refused', () => {
  expect(linesFound('lint/suspicious/noImportCycles', 'cli/one.ts')).toEqual([1])
})
