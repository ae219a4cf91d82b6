// Tests `sluice movements export` over the journal of a state directory, with a sandbox of the test as the service. The
// tests cover the row of each kind of end, the filters, the forms, and records that cannot be read.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { PutItemCommand } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { startEmbeddedJournal } from '@sluice/embedded-aws'
import { parquetReadObjects } from 'hyparquet'
import { beforeAll, expect, test } from 'vitest'
import { JOURNAL_TABLE } from '../../../core/contract/records.ts'
import type { CostRow } from '../../../operations/costs/sum-costs.ts'
import { MOVEMENT_COLUMNS, type MovementRow } from '../../../operations/movements/export/movement-row.ts'
import { embeddedClient } from '../../../place/journal/journal-client.ts'
import { readStored } from '../../../place/journal/journal-scan.ts'
import { findFolder } from '../../../place/state/state-layout.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { openTestConsole } from '../console/opened-console.ts'
import { SERVICE, useCommandsBeside } from './commands.ts'

const DAY_MS = 86_400_000
const timing = { tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 15, pollInsideSeconds: 0, pollWaits: 0 }
const policies = { core: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' }, mode: 'live' } }

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const SELL_GBP = { baseAsset: 'GBP', quoteAsset: 'USD', side: 'SELL', amountAsset: 'GBP', amount: '100' }
const SELL_SHARES = { baseAsset: 'NVDASPV', quoteAsset: 'USD', side: 'SELL', amountAsset: 'NVDASPV', amount: '2' }
const TO_CHAIN = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const INSIDE = { assetSymbol: 'USDC', amount: '70', contactReference: 'subsidiary' }

const {
  service,
  place: beside,
  keys,
  dir,
  file,
  write,
} = useCommandsBeside({ service: { ...SERVICE, shared: false }, timing, policies })
const ids: Record<string, string> = {}
/** Service time shortly before the withdrawal that is dated days after its request. */
let later: string

beforeAll(async () => {
  await moved('convert', 'bought', BUY)
  await moved('convert', 'refused', { ...BUY, worstRate: '1' })
  await service.arrange('/v2/orders', { kind: 'settleLater', afterMs: 1, outcome: 'partial' })
  await moved('convert', 'part', BUY)
  await service.control('/balance', { assetSymbol: 'GBP', balance: '40' })
  await service.control('/capacity', { assetSymbol: 'GBP', total: '1000' })
  await moved('convert', 'credit', SELL_GBP)
  await service.control('/multiplier', { assetSymbol: 'NVDASPV', multiplier: '10.5' })
  await moved('convert', 'shares', SELL_SHARES)
  await service.control('/multiplier', { assetSymbol: 'NVDASPV', multiplier: '20' })
  await moved('withdraw', 'sent', TO_CHAIN)
  await service.arrange('/v2/withdrawals', { kind: 'failLater', afterMs: 1 })
  await moved('withdraw', 'refund', TO_CHAIN)
  const { runId } = JSON.parse((await run('run', 'rebalance', 'core', '--id', 'balance')).stdout)
  ids.run = runId
  await service.advance(10 * DAY_MS)
  later = new Date(Date.now() + 10 * DAY_MS - 60_000).toISOString()
  await moved('withdraw', 'midnight', INSIDE)
})

const place = () => [...beside(), ...keys()]
const run = (...argv: string[]) => runInProcess([...argv, ...place()])
/** Without keys, which a command that only reads the journal does not take. */
const shown = (...argv: string[]) => runInProcess([...argv, ...place().slice(0, 6), '--json'])

async function moved(verb: 'convert' | 'withdraw', id: string, input: object): Promise<void> {
  const { stdout, stderr } = await run('run', verb, write(`${id}.json`, input), '--id', id)
  const { intentId } = JSON.parse(stdout === '' ? stderr : stdout)
  ids[id] = intentId
}

async function exported(...flags: string[]): Promise<MovementRow[]> {
  const { exitCode, stdout, stderr } = await run('movements', 'export', '--format', 'jsonl', ...flags)
  expect(exitCode, stderr).toBe(0)
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
}
const names = async (...flags: string[]) =>
  (await exported(...flags)).map(({ id }) => Object.keys(ids).find((name) => ids[name] === id) ?? 'leg').sort()
async function rowOf(name: string): Promise<MovementRow> {
  const row = (await exported()).find(({ id }) => id === ids[name])
  if (row === undefined) throw new TypeError(`no row of ${name}`)
  return row
}

test('each request has one row, and a conversion has what it gave and brought', async () => {
  const rows = await exported()
  expect(rows).toHaveLength(9)
  expect(new Set(rows.map(({ id }) => id)).size).toBe(9)
  const row = await rowOf('bought')
  expect(row).toMatchObject({ kind: 'convert', state: 'FILLED', assetOut: 'USDC', amountOut: '250', assetIn: 'BTC' })
  expect(row).toMatchObject({ market: 'BTC-USDC', status: 'FILLED', onCredit: 'false', midRate: null, cost: null })
  expect(Object.keys(row)).toEqual([...MOVEMENT_COLUMNS])
})

test('a certified zero has its assets and no amounts', async () => {
  const zero = { state: 'PRICE_REFUSED', assetOut: 'USDC', amountOut: null, assetIn: 'BTC', amountIn: null }
  expect(await rowOf('refused')).toMatchObject({ ...zero, movementId: null, sentAt: null, bookedAt: null })
})

test('a conversion that failed after a part has the part that was filled', async () => {
  const row = await rowOf('part')
  expect(row).toMatchObject({ state: 'FAILED', status: 'FAILED', assetOut: 'USDC' })
  expect(Number(row.amountOut)).toBeGreaterThan(0)
  expect(Number(row.amountOut)).toBeLessThan(250)
  expect(Number(row.amountIn)).toBeGreaterThan(0)
})

test('an order on credit has what it has filled so far, and all of it once the debt is paid', async () => {
  expect(await rowOf('credit')).toMatchObject({ state: 'PROCESSING', status: 'PARTIALLY_FILLED', amountOut: '40' })
  await service.control('/balance', { assetSymbol: 'GBP', credit: '60' })
  expect(await rowOf('credit')).toMatchObject({ state: 'FILLED', amountOut: '100', onCredit: 'true' })
})

test('shares have the rebased amount of the order, by the multiplier of its own time', async () => {
  const shares = { assetOut: 'NVDASPV', amountOut: '2', rebasedAsset: 'NVDAX', rebasedOut: '21', multiplier: '10.5' }
  expect(await rowOf('shares')).toMatchObject({ ...shares, multiplierSource: 'order', rebasedIn: null })
  expect(await names('--asset', 'nvdax')).toEqual(['shares'])
  expect(await names('--asset', 'NVDASPV')).toEqual(['shares'])
})

test('a withdrawal has its total, fee, payee and hash, and a refunded one came back whole', async () => {
  const sent = await rowOf('sent')
  expect(sent).toMatchObject({ state: 'COMPLETED', assetOut: 'USDC', amountOut: '100', fee: '4', amountIn: null })
  expect(sent).toMatchObject({
    payeeReference: 'exchange-usdc-eth',
    transactionHash: expect.stringMatching(/^\w{64}$/),
  })
  const refund = { state: 'FAILED_REFUNDED', amountOut: '100', assetIn: 'USDC', amountIn: '100', fee: '0' }
  expect(await rowOf('refund')).toMatchObject(refund)
})

test('a leg of a run has the middle rate of its plan, and its cost by those prices', async () => {
  const [leg] = await exported('--policy', 'core')
  expect(leg).toMatchObject({ run: ids.run, policy: 'core', valuationAsset: 'USD' })
  const { plan } = JSON.parse((await shown('runs', 'show', ids.run ?? '')).stdout)
  expect(leg?.pricedAt).toBe(plan.takenAt)
  const priceOf = (asset: string) => Number(plan.positions.find((one: { asset: string }) => one.asset === asset).price)
  expect(Number(leg?.midRate)).toBeCloseTo(priceOf('BTC') / priceOf('USDC'), 6)
  const cost = Number(leg?.amountOut) * priceOf('BTC') - Number(leg?.amountIn) * priceOf('USDC')
  expect(Number(leg?.cost)).toBeCloseTo(cost, 6)
})

test('a movement is in the time at which the service dates it, and in no other', async () => {
  expect(await names('--since', later)).toEqual(['midnight'])
  expect(await names('--before', later)).not.toContain('midnight')
  expect((await names('--before', later)).length).toBe(8)
  expect(await names('--since', later, '--kind', 'convert')).toEqual([])
})

test('filters by kind, state and payee', async () => {
  expect(await names('--kind', 'withdraw')).toEqual(['midnight', 'refund', 'sent'])
  expect(await names('--outcome', 'failed-refunded')).toEqual(['refund'])
  expect(await names('--payee', 'subsidiary')).toEqual(['midnight'])
  const { contactId } = await rowOf('midnight')
  expect(await names('--payee', contactId ?? '')).toEqual(['midnight'])
  expect((await run('movements', 'export', '--outcome', 'DONNE')).stderr).toContain('--outcome: expected one of')
})

test('the costs of a period are the sums of its rows, with the tracking error and the time of its runs', async () => {
  const { exitCode, stdout } = await run('costs', '--json', '--from', MONTHS_AGO)
  expect(exitCode).toBe(0)
  const { rows } = JSON.parse(stdout) as { readonly rows: readonly CostRow[] }
  const [leg] = await exported('--policy', 'core')
  const core = rows.find(({ policy }) => policy === 'core')
  expect(core).toMatchObject({ movements: '1', conversions: '1', open: '0', runs: '1', valuationAsset: 'USD' })
  expect(core).toMatchObject({ slippageCost: leg?.cost, slippageBps: leg?.slippageBps, fees: null })
  expect(core?.trackingErrorBps).toMatch(/^\d+(\.\d+)?$/)
  expect(core?.settleSeconds).toBe(core?.longestSettleSeconds)
  const others = rows.filter(({ policy }) => policy === null)
  const sum = (name: 'movements' | 'withdrawals') => others.reduce((total, row) => total + Number(row[name]), 0)
  const table = (await exported()).filter(({ policy, state }) => policy === null && MOVED.includes(state ?? ''))
  expect(sum('movements')).toBe(table.length)
  expect(sum('withdrawals')).toBe(table.filter(({ kind }) => kind === 'withdraw').length)
  expect(others.map(({ feesInAssets }) => feesInAssets).join()).toContain('4 USDC')
  expect((await run('costs', '--from', later)).stdout).not.toContain('core')
  expect((await run('costs', '--from', '2026-13-01')).stderr).toContain('--from: expected a day')
})
const MONTHS_AGO = new Date(Date.now() - 60 * DAY_MS).toISOString()
const MOVED = ['FILLED', 'COMPLETED']

test('CSV, JSON Lines and Parquet have the same rows', async () => {
  const rows = await exported()
  const csv = (await run('movements', 'export')).stdout.split('\r\n')
  expect(csv[0]).toBe(MOVEMENT_COLUMNS.join(','))
  expect(csv.slice(1, -1).map((line) => line.split(',')[0])).toEqual(rows.map(({ id }) => id))
  const parquet = file('table.parquet')
  const written = await run('movements', 'export', '--format', 'parquet', '--out', parquet, '--json')
  expect(JSON.parse(written.stdout)).toEqual({ file: parquet, rows: 9, unshownTotal: 0, unshown: [] })
  const bytes = readFileSync(parquet)
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  expect(await parquetReadObjects({ file: buffer })).toEqual(rows)
})

test('a file is its owner’s, and a table that was not whole leaves no file', async () => {
  const out = file('out.csv')
  expect((await run('movements', 'export', '--out', out)).exitCode).toBe(0)
  expect(statSync(out).mode & 0o777).toBe(0o600)
  const whole = readFileSync(out, 'utf8')
  await service.arrange('/v2/orders*', { kind: 'errorBeforeCommit', status: 403, code: 'insufficient_scope' }, ONE_READ)
  const failed = await run('movements', 'export', '--out', out)
  expect(failed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('insufficient_scope') })
  expect(readFileSync(out, 'utf8')).toBe(whole)
  expect(readdirSync(dir).filter((name) => name.startsWith('.out'))).toEqual([])
})
const ONE_READ = { method: 'GET', times: 1 }

test.each([
  [['--format', 'parquet'], '--out: expected a file for --format parquet'],
  [['--format', 'xls'], '--format: expected csv, jsonl or parquet'],
  [['--json'], '--json: expected --out beside it'],
  [['--kind', 'run'], '--kind: expected convert or withdraw'],
  [['--since', 'yesterday'], '--since: expected a day'],
  [['--since', '2026-02-01', '--before', '2026-01-01'], '--before: expected a time after --since'],
])('%j is refused with exit 2', async (flags, said) => {
  const { exitCode, stdout, stderr } = await run('movements', 'export', ...flags)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(said)
})

test.each([[['movements', 'export', '--policy', 'nobody-has-it']], [['costs', '--policy', 'nobody-has-it']]])(
  '%j is refused, because an empty table would look as if the policy had moved nothing',
  async (argv) => {
    const { exitCode, stdout, stderr } = await run(...argv)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain('--policy: expected the name of a policy')
  },
)

test('the page of a refunded withdrawal says that it came back', async () => {
  const { id } = await rowOf('refund')
  const [, state, , config, , url, , keys] = place()
  const flags = { ...{ state: state ?? '', config: config ?? '' }, service: url ?? '', keys: keys ?? '' }
  const { ask, enter } = await openTestConsole(flags)
  const page = await ask(`/intents/${id}`, { headers: { cookie: await enter() } })
  expect(page.body).toMatch(/class="badge \w+">failed, and refunded<\/span>/)
})

test('the console downloads the same table with the same filters, and refuses a wrong filter', async () => {
  const [, state, , config, , url, , keys] = place()
  const flags = { ...{ state: state ?? '', config: config ?? '' }, service: url ?? '', keys: keys ?? '' }
  const { ask, enter } = await openTestConsole(flags)
  const headers = { cookie: await enter() }
  const csv = await ask('/books.csv?policy=&asset=USDC&kind=withdraw', { headers })
  expect(csv).toMatchObject({ status: 200, headers: { 'content-type': 'text/csv; charset=utf-8' } })
  expect(csv.body).toBe((await run('movements', 'export', '--asset', 'USDC', '--kind', 'withdraw')).stdout)
  expect(csv.body.split('\r\n')).toHaveLength(5)
  expect(await ask('/books.csv?since=yesterday', { headers })).toMatchObject({ status: 400 })
  expect(await ask('/books.csv', { headers, method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  await service.arrange('/v2/orders*', { kind: 'errorBeforeCommit', status: 403, code: 'insufficient_scope' }, ONE_READ)
  const refused = await ask('/books.csv', { headers })
  expect(refused).toMatchObject({ status: 502, body: expect.stringContaining('insufficient_scope') })
  const costs = await ask(`/costs?policy=core&from=${MONTHS_AGO}`, { headers })
  expect(costs.body).toContain('What it cost, by month and policy')
  expect(await ask('/costs?from=spring', { headers })).toMatchObject({ status: 400 })
  const exact = (await ask(`/costs.csv?policy=core&from=${MONTHS_AGO}`, { headers })).body
  expect(exact).toBe((await run('costs', '--policy', 'core', '--csv', '--from', MONTHS_AGO)).stdout)
  expect((await ask('/movements?since=2026-01-01', { headers })).body).toMatch(
    /name="since" value="2026-01-01"[\s\S]*books\.csv/,
  )
})

test('an edited record has a row that says so, is named, and the command exits with 5', async () => {
  const key = `I#convert#${ids.bought}`
  const stored = await withTable((table) => readStored(table, key))
  await withTable((table) => put(table, { ...stored, ref: 'another' }))
  const { exitCode, stdout, stderr } = await run('movements', 'export', '--asset', 'GBP')
  await withTable((table) => put(table, { ...stored }))
  expect(exitCode).toBe(5)
  expect(stderr).toContain(`${ids.bought}: the record ${key} is broken`)
  const rows = stdout.split('\r\n').map((line) => line.split(',').slice(0, 4))
  expect(rows).toContainEqual([ids.bought, expect.anything(), 'convert', 'UNREADABLE'])
})

interface Table {
  readonly client: ReturnType<typeof embeddedClient>
  readonly tableName: string
}

async function withTable<Result>(work: (table: Table) => Promise<Result>): Promise<Result> {
  const folder = findFolder(file('state'), service.baseUrl)
  const journal = folder && (await startEmbeddedJournal(folder.awsDir))
  if (journal === undefined) throw new TypeError('the directory has a journal')
  const client = embeddedClient(journal)
  try {
    return await work({ client, tableName: JOURNAL_TABLE })
  } finally {
    client.destroy()
    await journal.stop()
  }
}

function put({ client }: Table, item: object) {
  return client.send(new PutItemCommand({ TableName: JOURNAL_TABLE, Item: marshall(item) }))
}
