// Every command at a service whose every text is hostile: names of 10,000 characters, control sequences, marks that reverse
// the reading order, and invisible characters. None may reach a terminal unchanged, no table may be wider than the terminal,
// and JSON and CSV keep the whole names.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { widthOf } from '../../../views/text/width.ts'
import { folderOfFile } from '../../helpers/folders.ts'
import { answerJson, answerProblem, type Respond, startLocalServer } from '../../helpers/local-server.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

const EVIL =
  '=cmd\u001b[2J\u001b]0;x\u0007\u009b31m\u202eabc\u2066\u200b\u200d\ufeff\u{e0041}\u2028\r\nnext: npm run evil\t"q"'
const LONG = `${EVIL}${'字x'.repeat(5_000)}`
const HARMFUL = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u

const figures = { baseAmount: '1', quoteAmount: '2', rate: '2' }
const symbols = { assetSymbol: EVIL, asset: EVIL, baseAsset: EVIL, quoteAsset: EVIL }
const network = {
  ...{ networkName: LONG, networkId: EVIL, evmChainId: 1, networkNativeAsset: EVIL, assetType: EVIL },
  ...{ withdrawalFee: '1', minimumWithdrawal: '1' },
}
const asset = {
  ...{ ...symbols, rebasedSymbol: `${EVIL}x`, assetName: LONG, assetClass: EVIL, rebaseMultiplier: '1' },
  ...{ amountIncrement: '0.01', displayIncrement: '0.01', minimumDeposit: '1', minimumWithdrawal: '1' },
  ...{ minimumInternalWithdrawal: '1', withdrawalFee: '1', maxIndicativeQuoteAmount: '1', networks: [network] },
}
const market = {
  ...{ id: 'A-B', baseAsset: EVIL, rebasedBaseAsset: `${EVIL}y`, quoteAsset: EVIL },
  ...{ minBaseAmount: '1', minQuoteAmount: '1' },
}
const contact = {
  ...{ id: 'c-1', reference: LONG, type: EVIL, alias: LONG, createdAt: EVIL, updatedAt: EVIL },
  crypto: { assetSymbol: EVIL, assetName: LONG, networkSymbol: EVIL, networkName: LONG, networkId: EVIL },
}
const account = {
  ...{ id: 'acc-1', username: LONG, email: LONG, fullName: LONG, nationalId: EVIL, verificationStatus: EVIL },
  preferredCurrency: EVIL,
}
const order = {
  ...{ id: 'o-1', status: EVIL, side: EVIL, market: EVIL, multiplier: '1', onCredit: false, createdAt: EVIL },
  ...{ ...symbols, ...figures, filledBaseAmount: '1', filledQuoteAmount: '2', assetFormat: 'base' },
  base: { ...symbols, ...figures, filledBaseAmount: '1', filledQuoteAmount: '2' },
}
const entry = {
  ...{ id: EVIL, type: EVIL, assetSymbol: EVIL, amount: '1', orderId: EVIL, createdAt: EVIL },
  source: { type: EVIL, id: EVIL },
}
const deposit = {
  ...{ id: EVIL, status: EVIL, createdAt: EVIL, assetSymbol: EVIL, amount: '1', multiplier: '1' },
  base: { asset: EVIL, amount: '1' },
}

const listOf = (...data: unknown[]) => ({
  data,
  pagination: { page: 1, limit: 100, totalItems: data.length, totalPages: 1 },
})

/** The part of an address after `/v2`, and its answer. */
const ANSWERS: readonly (readonly [RegExp, unknown])[] = [
  [/^\/account$/, account],
  // Otherwise it is refused, as another asset than the requested one.
  [/^\/assets\/./, { ...asset, assetSymbol: 'X' }],
  [/^\/assets/, listOf(asset)],
  [/^\/markets\/./, market],
  [/^\/markets/, listOf(market)],
  [/^\/contacts\/./, contact],
  [/^\/contacts/, listOf(contact)],
  [/^\/orders\/./, order],
  [/^\/orders/, listOf(order)],
  [/^\/ledger/, listOf(entry)],
  [/^\/deposits/, listOf(deposit)],
]

const hostile: Respond = ({ target }, response) => {
  const found = ANSWERS.find(([pattern]) => pattern.test(target.replace(/^\/v2/, '')))
  if (found === undefined) answerProblem(response, 404, 'not_found', { detail: EVIL })
  else answerJson(response, 200, found[1])
}

const key = makeKey('HOSTILE')
const dir = folderOfFile()
beforeAll(() => {
  writeFileSync(path.join(dir, 'keys.json'), key.material, { mode: 0o600 })
  writeFileSync(
    path.join(dir, 'buy.json'),
    JSON.stringify({ baseAsset: 'A', quoteAsset: 'B', side: 'BUY', amountAsset: 'A', amount: '1' }),
  )
})

async function sluiceAt(respond: Respond, argv: readonly string[], terminal = {}) {
  const server = await startLocalServer(respond)
  onTestFinished(() => server.stop())
  const at = ['--service', server.baseUrl, '--keys', path.join(dir, 'keys.json'), '--state', path.join(dir, 'state')]
  const { exitCode, stdout, stderr } = await runInProcess([...argv, ...at], {}, terminal)
  return { exitCode, stdout, stderr, lines: stripVTControlCharacters(stdout).split('\n') }
}

const READS = [
  ['whoami'],
  ['service', 'assets'],
  ['service', 'assets', 'X'],
  ['service', 'markets'],
  ['service', 'markets', 'A-B'],
  ['service', 'contacts'],
  ['service', 'contacts', 'c-1'],
  ['service', 'orders'],
  ['service', 'orders', 'o-1'],
  ['service', 'ledger'],
  ['service', 'deposits'],
  ['whoami'],
]

test.each(READS.flatMap((argv) => [20, 60, 80, 200].map((columns) => [argv.join(' '), columns] as const)))(
  '%s on a terminal of %i columns shows nothing that it would obey, and nothing wider',
  async (words, columns) => {
    const { exitCode, stderr, lines } = await sluiceAt(hostile, words.split(' '), { isTTY: true, columns })
    expect([0, 1], stderr).toContain(exitCode)
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) {
      expect(widthOf(line)).toBeLessThanOrEqual(columns)
      expect(line).not.toMatch(HARMFUL)
    }
    for (const line of stderr.split('\n')) expect(line).not.toMatch(HARMFUL)
  },
)

test.each(READS.map((argv) => [argv.join(' ')]))('%s as JSON is the whole answer, and safe to show', async (words) => {
  const { stdout, stderr } = await sluiceAt(hostile, [...words.split(' '), '--json'])
  expect(stderr).toBe('')
  expect(stdout.trimEnd()).not.toMatch(HARMFUL)
  const text = JSON.stringify(JSON.parse(stdout))
  if (words.startsWith('contacts')) expect(text).toContain(JSON.stringify(LONG))
})

test.each(READS.map((argv) => [argv.join(' ')]))('%s as CSV has no formula, and whole names', async (words) => {
  const { stdout } = await sluiceAt(hostile, [...words.split(' '), '--csv'])
  const [titles = '', ...rows] = stdout.split('\r\n').slice(0, -1)
  expect(titles).not.toMatch(HARMFUL)
  for (const row of rows) {
    expect(row).not.toMatch(HARMFUL)
    expect(row).not.toMatch(/(^|,)"?=/)
  }
  if (words.startsWith('contacts')) expect(rows.join('\n')).toContain('字x'.repeat(5_000))
})

const COMMANDS = [
  ...READS,
  ['setup', 'doctor'],
  ['journal', 'audit'],
  ['run', 'convert', 'BUY', '--id', 'a'],
  ['service', 'balances', '--history', 'X'],
  ['service', 'markets', 'A-B', '--price', 'BUY'],
  ['service', 'contacts', 'rename', 'c-1', '--alias', 'x', '--yes'],
]

const REFUSALS: readonly (readonly [string, Respond])[] = [
  [
    'a problem',
    (_, response) => answerProblem(response, 422, 'unprocessable', { detail: LONG, title: EVIL, traceId: EVIL }),
  ],
  ['a key that is refused', (_, response) => answerProblem(response, 401, 'key_expired', { detail: EVIL })],
  ['text', (_, response) => response.writeHead(500, { 'content-type': 'text/html' }).end(LONG)],
  ['records of another shape', (_, response) => answerJson(response, 200, { data: [{ [EVIL]: LONG }], [EVIL]: EVIL })],
]

test.each(COMMANDS.flatMap((argv) => REFUSALS.map(([what, respond]) => [argv.join(' '), what, respond] as const)))(
  '%s reports %s without control sequences',
  async (words, _what, respond) => {
    const argv = words
      .split(' ')
      .map((arg) => (arg === 'BUY' && words.startsWith('run') ? path.join(dir, 'buy.json') : arg))
    const { exitCode, stdout, stderr } = await sluiceAt(respond, argv, { isTTY: true, columns: 80 })
    expect([0, 1, 2, 3]).toContain(exitCode)
    for (const line of stripVTControlCharacters(`${stdout}\n${stderr}`).split('\n')) expect(line).not.toMatch(HARMFUL)
  },
  60_000,
)
