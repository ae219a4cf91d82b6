import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// Biome reads one folder of offending files under the repo's own configuration, once for all tests.
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-lint-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Finding {
  readonly category: string
  readonly location: { readonly path: string; readonly start: { readonly line: number } }
}
let findings: readonly Finding[]

/** What a file may import, and what it may not: the table of the style page, "Who may import whom". */
const boundaries: Record<string, { may: string[]; mayNot: string[] }> = {
  'functions/contract/offender.ts': {
    may: ['zod/mini', './states.ts'],
    mayNot: ['zod', 'jose', 'node:fs', '../shared/errors.ts', '../quote/quote.ts', '../../infra/config.ts'],
  },
  'functions/shared/offender.ts': {
    may: ['./errors.ts', '../contract/errors.ts', 'zod/mini'],
    mayNot: ['./service/http.ts', '@aws-sdk/client-dynamodb', 'node:http', '../order/order.ts'],
  },
  'functions/shared/money/offender.ts': {
    may: ['./decimal.ts', '../../contract/amount.ts'],
    mayNot: ['../errors.ts', '../service/ports.ts', 'jose', 'node:crypto', '@aws-sdk/client-dynamodb'],
  },
  'functions/shared/service/offender.ts': {
    may: ['./ports.ts', '../money/amount.ts', '../errors.ts', '../clock.ts', 'jose', 'zod/mini', 'node:https'],
    mayNot: [
      '@aws-sdk/client-secrets-manager',
      '../keys/secrets-manager.ts',
      '../journal/journal.ts',
      '../../order/order.ts',
    ],
  },
  'functions/shared/journal/offender.ts': {
    may: ['@aws-sdk/client-dynamodb', '../errors.ts', '../../contract/records.ts'],
    mayNot: ['../service/http.ts', '../keys/key-source.ts', 'jose', '../../quote/quote.ts'],
  },
  'functions/shared/keys/offender.ts': {
    may: ['@aws-sdk/client-secrets-manager', '../errors.ts', 'node:crypto'],
    mayNot: ['../service/http.ts', '../journal/journal.ts', '../../../sandbox/service/sandbox.ts'],
  },
  'functions/shared/conversion/offender.ts': {
    may: ['../money/decimal.ts', '../journal/intent.ts', '../service/ports.ts', '../../contract/convert.ts'],
    mayNot: ['../journal/dynamo-store.ts', '../service/http.ts', '@aws-sdk/client-dynamodb', '../../order/order.ts'],
  },
  'functions/shared/guarding/offender.ts': {
    may: [
      '../money/decimal.ts',
      '../journal/budgets.ts',
      '../service/ports.ts',
      '../../contract/guards.ts',
      'zod/mini',
    ],
    mayNot: [
      '../journal/dynamo-store.ts',
      '../service/http.ts',
      '../conversion/convert-intent.ts',
      '@aws-sdk/client-dynamodb',
    ],
  },
  'functions/shared/starting/offender.ts': {
    may: ['@aws-sdk/client-sfn', '../errors.ts', '../keys/aws-limits.ts', '../../contract/runs.ts', 'node:crypto'],
    mayNot: ['../journal/journal.ts', '../keys/key-source.ts', '../service/http.ts', '../../start-run/start-run.ts'],
  },
  'functions/start-run/offender.ts': {
    may: ['../shared/starting/starter.ts', '../shared/starting/names.ts', '../contract/triggers.ts'],
    mayNot: ['../shared/starting/sfn-starter.ts', '../announce/announce.ts', '@aws-sdk/client-sfn', 'node:crypto'],
  },
  'functions/order/offender.ts': {
    may: [
      './order.ts',
      '../contract/convert.ts',
      '../shared/money/decimal.ts',
      '../shared/journal/journal.ts',
      '../shared/service/ports.ts',
    ],
    mayNot: [
      '@aws-sdk/client-dynamodb',
      'jose',
      'node:crypto',
      './handler.ts',
      '../quote/quote.ts',
      '../shared/service/service-client.ts',
      '../shared/journal/dynamo-store.ts',
      '../shared/keys/key-source.ts',
      '../../sandbox/service/sandbox.ts',
    ],
  },
  'functions/order/handler.ts': {
    may: ['./order.ts', '../shared/service/service-client.ts', '../shared/log.ts', '@aws-sdk/client-dynamodb'],
    mayNot: ['../quote/quote.ts', '../quote/handler.ts', '../../infra/config.ts', 'aws-cdk-lib'],
  },
  'functions/movements.ts': {
    may: ['./order/handler.ts', './contract/states.ts', './shared/lambda/initialise.ts'],
    mayNot: ['./order/order.ts', '@aws-sdk/client-dynamodb'],
  },
  'functions/shared/lambda/offender.ts': {
    may: ['../log.ts', '../keys/key-source.ts', '@aws-sdk/client-dynamodb'],
    mayNot: ['../../order/order.ts', '../../order/handler.ts', '../../../cli/main.ts'],
  },
  'infra/constructs/offender.ts': {
    may: [
      'aws-cdk-lib',
      'aws-cdk-lib/aws-lambda',
      'constructs',
      '../retry-policies.ts',
      '../../functions/contract/states.ts',
    ],
    mayNot: [
      '../../functions/order/handler.ts',
      '../../functions/shared/errors.ts',
      '../../cli/main.ts',
      '../../sandbox/aws/embedded-aws.ts',
    ],
  },
  'infra/offender.ts': {
    may: [
      './config.ts',
      './constructs/verb-function.ts',
      '../functions/contract/treasury.ts',
      'cdk-nag',
      'esbuild',
      'node:fs',
    ],
    mayNot: ['../functions/movements.ts', '../functions/shared/money/amount.ts', 'jose', '@aws-sdk/client-dynamodb'],
  },
  'sandbox/service/offender.ts': {
    may: ['./ledger.ts', '../service/clock.ts', 'node:http', 'node:crypto'],
    mayNot: [
      '../../functions/contract/states.ts',
      '../../functions/shared/money/amount.ts',
      'jose',
      'decimal.js',
      'zod/mini',
      '../aws/embedded-aws.ts',
      '../../cli/main.ts',
    ],
  },
  'sandbox/main.ts': {
    may: ['./service/sandbox.ts', 'node:util'],
    mayNot: ['../functions/contract/states.ts', './aws/embedded-aws.ts', 'commander'],
  },
  'sandbox/aws/offender.ts': {
    may: ['./states/path.ts', '../../functions/contract/states.ts', 'dynalite', 'node:worker_threads'],
    mayNot: [
      '../../functions/shared/errors.ts',
      '../../functions/order/handler.ts',
      '../../infra/config.ts',
      '../service/sandbox.ts',
      '../../cli/main.ts',
    ],
  },
  'cli/offender.ts': {
    may: [
      '../infra/config.ts',
      '../functions/contract/convert.ts',
      '../functions/shared/keys/key-material.ts',
      '../sandbox/service/sandbox.ts',
      'commander',
    ],
    mayNot: [
      '../functions/order/order.ts',
      '../functions/order/handler.ts',
      '../functions/movements.ts',
      'aws-cdk-lib',
      'esbuild',
    ],
  },
}

const decisions = [
  'functions/quote/ambient.ts',
  'functions/shared/money/ambient.ts',
  'functions/shared/journal/ambient.ts',
  'functions/shared/conversion/ambient.ts',
  'functions/shared/service/ambient.ts',
  'functions/shared/keys/ambient.ts',
]
const notDecisions = [
  'functions/shared/service/http.ts',
  'functions/quote/handler.ts',
  'functions/shared/clock.ts',
  'sandbox/service/ambient.ts',
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

describe('imports across a boundary are refused, and the others are not', () => {
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
