// Tests the reading commands against a service with movements of every kind in it.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, arrangeMovements, type Movements, startArrangedService } from './arranged-service.ts'

let service: ArrangedService
let moved: Movements
beforeAll(async () => {
  service = await startArrangedService()
  moved = await arrangeMovements(service)
})
afterAll(() => service.stop())

const sluice = (...argv: string[]) => runInProcess([...argv, ...service.flags()])

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was printed
async function json(...argv: string[]): Promise<any> {
  const { exitCode, stdout, stderr } = await sluice(...argv, '--json')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout)
}

test.each([
  [['service', 'balances'], /^asset +balance +frozen +pending .*\n(.*\n)*NVDASPV \(NVDAX\) +30\.5 /],
  [['service', 'assets'], /^asset +class .*\n(.*\n)*NVDASPV \(NVDAX\) +STOCK /],
  [['service', 'assets', 'usdc'], /^asset +USDC\n(.*\n)*network +name +fee +minimum sent /],
  [['service', 'markets'], /^market +base asset .*\n(.*\n)*NVDASPV-USDC +NVDASPV \(NVDAX\) +USDC /],
  [['service', 'markets', 'NVDAX-USDC'], /^market +NVDASPV-USDC\n/],
  [
    ['service', 'markets', 'NVDAX-USDC', '--price', 'sell'],
    /base asset +NVDASPV \(NVDAX\)\nquote asset +USDC\nrate +\d/,
  ],
  [['service', 'orders'], /^created at .*\n.* FILLED +BUY +NVDASPV-USDC +NVDASPV \(NVDAX\) +0\.5 +0\.5 /],
  [['service', 'orders', '--fills'], /^executed at .*\n.* BUY +NVDASPV-USDC +NVDASPV \(NVDAX\) +0\.5 /],
  [['service', 'withdrawals'], /^created at .*\n.* EXTERNAL_CRYPTO +USDC +24\.9 +0\.1 +25 +POLYGON /],
  [['service', 'deposits'], /^created at .*\n.* EUR +500 /],
  [
    ['service', 'contacts'],
    /^alias +reference +type .*\nCold storage USDC +cold-usdc-polygon +EXTERNAL_CRYPTO +USDC +POLYGON /,
  ],
  [['service', 'ledger'], /^created at .*\n(.*\n)*.* NVDASPV \(NVDAX\) +0\.5 +fill /],
  [
    ['service', 'balances', '--history', 'nvdax'],
    /^date +balance at the end +asset\n\d{4}-\d\d-\d\d +30\.5 +NVDASPV \(NVDAX\)\n/,
  ],
])('%j is a table, and ends with suggestions', async (argv, table) => {
  const { exitCode, stdout, stderr } = await sluice(...argv)
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(table)
  expect(stderr).toContain(`from ${service.sandbox.baseUrl}\nnext:  npx sluice `)
})

test.each([
  [
    ['service', 'markets', 'BTC-USDC', '--price', 'BUY', '--amount', '1000', '--amount-asset', 'USDC'],
    { units: 'settled' },
  ],
  [
    ['service', 'orders', 'ORDER'],
    { status: 'FILLED', baseAmount: '0.5', settledSymbol: 'NVDASPV', rebasedSymbol: 'NVDAX' },
  ],
  [['service', 'withdrawals', 'WITHDRAWAL'], { amount: '24.9', fee: '0.1', total: '25' }],
  [
    ['service', 'contacts', 'CONTACT'],
    { reference: 'cold-usdc-polygon', crypto: expect.objectContaining({ networkId: 'POLYGON' }) },
  ],
  [['service', 'assets', 'NVDAX'], { assetSymbol: 'NVDASPV', rebasedSymbol: 'NVDAX', rebaseMultiplier: '10' }],
])('%j as JSON is one object with decimal strings', async (argv, found) => {
  const ids: Record<string, string> = { ORDER: moved.orderId, WITHDRAWAL: moved.withdrawalId, CONTACT: moved.contactId }
  expect(await json(...argv.map((word) => ids[word] ?? word))).toMatchObject(found)
})

test('an id with a slash, a space and a percent sign can be read and filtered by', async () => {
  expect(moved.orderId).toMatch(/[/].*|[ ]|%/)
  const { id } = await json('service', 'orders', moved.orderId)
  const fills = await json('service', 'orders', moved.orderId, '--fills')
  const entries = await json('service', 'ledger', '--order-id', moved.orderId)
  expect([id, fills[0].orderId, entries.length]).toEqual([moved.orderId, moved.orderId, 2])
  const ofFill = await json('service', 'ledger', '--source-id', fills[0].id)
  expect(ofFill).toEqual(entries)
})

test('rebased figures are marked, and settled figures stay unchanged', async () => {
  const { stdout, stderr } = await sluice('service', 'balances', '--rebased')
  expect(stdout).toMatch(/^asset +balance \(rebased\) .*\n(.*\n)*NVDASPV \(NVDAX\) +305 /)
  expect(stderr).toContain('rebased figures are for people: what moves is settled')
  for (const [words, figure, settled, rebased] of [
    [['balances'], 'balance', '30.5', '305'],
    [['orders'], 'baseAmount', '0.5', '5'],
    [['orders', '--fills'], 'baseAmount', '0.5', '5'],
  ] as const) {
    const records = await json('service', ...words, '--rebased')
    const equity = records.find(({ settledSymbol }: { settledSymbol?: string }) => settledSymbol === 'NVDASPV')
    expect([equity[figure], equity.rebased[figure]]).toEqual([settled, rebased])
  }
  expect((await json('service', 'withdrawals', '--rebased'))[0].rebased.amount).toBe('24.9')
  expect((await json('service', 'deposits', '--rebased'))[0].rebased.amount).toBe('500')
  expect(await json('service', 'markets', 'NVDAX-USDC', '--price', 'BUY', '--rebased')).toMatchObject({
    units: 'rebased',
  })
})

test.each([
  [['service', 'orders', '--side', 'SELL'], 0],
  [['service', 'orders', '--status', 'filled', '--market', 'NVDAX-USDC', '--base-asset', 'nvdax'], 1],
  [['service', 'orders', '--start-date', '2099-01-01'], 0],
  [['service', 'orders', '--fills', '--asset-symbol', 'nvdax', '--end-date', '2020-01-01'], 0],
  [['service', 'withdrawals', '--asset-symbol', 'usdc', '--sub-type', 'external_crypto'], 1],
  [['service', 'withdrawals', '--status', 'FAILED'], 0],
  [['service', 'deposits', '--asset-symbol', 'EUR'], 1],
  [['service', 'contacts', '--type', 'internal'], 1],
  [['service', 'ledger', '--asset-symbol', 'NVDAX', '--limit', '1'], 1],
  [['service', 'balances', '--history', 'BTC', '--granularity', 'month', '--start-date', '2020-01-01'], 1],
])('%j gives the matching records', async (argv, count) => {
  expect(await json(...argv)).toHaveLength(count)
})

test('lines of JSON are one record each', async () => {
  const { exitCode, stdout, stderr } = await sluice('service', 'ledger', '--jsonl', '--limit', '2')
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const lines = stdout.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual((await json('service', 'ledger')).slice(0, 2))
})

test.each([
  [['service', 'orders', 'nobody'], 'refused', 'not_found'],
  [
    ['service', 'markets', 'BTC-USDC', '--price', 'BUY', '--amount', '99999999', '--amount-asset', 'USDC'],
    'refused',
    'validation_error',
  ],
])('%j is refused by the service: exit 1, nothing on standard output, and what to do', async (argv, code, text) => {
  const { exitCode, stdout, stderr } = await sluice(...argv, '--json')
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({ code, message: expect.stringContaining(text), next: expect.stringMatching(/./) })
})

test.each([['service', 'ledger'], ['whoami'], ['service', 'contacts']])(
  '%s is always settled, so --rebased is a mistake',
  async (...argv) => {
    expect(await sluice(...argv, '--rebased')).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringContaining("unknown option '--rebased'"),
    })
  },
)

test('a key that lacks a scope is reported, with what to do', async () => {
  const { trade } = service.sandbox.keys
  const flags = service.flags(trade)
  const rename = ['service', 'contacts', 'rename', moved.contactId, '--alias', 'Mine', '--yes']
  const { exitCode, stderr } = await runInProcess([...rename, ...flags])
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(/insufficient_scope.*contacts:write.*\nnext: {2}scopes are fixed when a key is created/)
})

test('a key of the other stage is refused before anything is sent', async () => {
  const { secret } = service.sandbox.keys.full
  const flags = service.flags({ secret: secret.replace('svc_test_', 'svc_live_') })
  const { exitCode, stdout, stderr } = await runInProcess(['service', 'balances', ...flags])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('--keys: key.secret: expected a key of the stage "test"')
  expect(stderr).not.toContain(secret.slice(9))
})

test('a contact is renamed only with consent', async () => {
  const rename = ['service', 'contacts', 'rename', moved.contactId, '--alias', 'Cold storage 2']
  const refused = await sluice(...rename)
  expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
  expect(refused.stderr).toContain('error: --yes: expected consent to change the alias of contact')
  expect(await json('service', 'contacts', moved.contactId)).toMatchObject({ alias: 'Cold storage USDC' })

  expect(await json(...rename, '--yes')).toMatchObject({ id: moved.contactId, alias: 'Cold storage 2' })
  const again = await sluice(...rename)
  expect(again).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('has that label already') })
  await json('service', 'contacts', 'rename', moved.contactId, '--alias', 'Cold storage USDC', '--yes')
})

describe('at a service that refuses aliases', () => {
  const takesNot = (times: number) =>
    service.control('/rules', {
      match: { method: 'PATCH', path: '/v2/contacts/*', times },
      fault: { kind: 'errorBeforeCommit', status: 400, code: 'validation_error' },
    })
  const rename = () => ['service', 'contacts', 'rename', moved.contactId, '--alias', 'Mine', '--yes']

  test('a contact gets the label as its reference, which is reported', async () => {
    await takesNot(1)
    const { exitCode, stderr } = await sluice(...rename())
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining('its reference is changed')])
    const changed = { alias: 'Cold storage USDC', reference: 'Mine' }
    expect(await json('service', 'contacts', moved.contactId)).toMatchObject(changed)
    await takesNot(1)
    const again = await sluice(...rename())
    expect([again.exitCode, again.stderr]).toEqual([0, expect.stringContaining('has that label already')])
  })

  test('and refuses references too, the command fails, and nothing is changed', async () => {
    await takesNot(2)
    const { exitCode, stdout, stderr } = await sluice(...rename().map((arg) => arg.replace('Mine', 'Ours')))
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toContain('neither as the alias nor as the reference')
    expect(await json('service', 'contacts', moved.contactId)).toMatchObject({
      alias: 'Cold storage USDC',
      reference: 'Mine',
    })
  })
})

test.each([
  [['service', 'contacts', 'rename', 'a/../b', '--alias', 'x'], '<id>: expected the id of a contact'],
  [['service', 'contacts', 'rename', 'c-1'], '--alias: expected a label of 1 to 256 printable characters; got nothing'],
  [
    ['service', 'contacts', 'rename', 'c-1', '--alias', ' '],
    '--alias: expected a label of 1 to 256 printable characters',
  ],
  [
    ['service', 'contacts', 'rename', 'c-1', '--alias', 'a\u001b[2J'],
    '--alias: expected a label of 1 to 256 printable characters',
  ],
  [['service', 'balances', '--history'], '--history: expected a value; got the option --service'],
  [['service', 'balances', '--granularity', 'day'], '--granularity: expected --history beside it; got it alone'],
  [['service', 'balances', '--history', 'BTC', '--rebased'], '--rebased: expected no --history beside it; got both'],
  [
    ['service', 'markets', '--price', 'BUY'],
    '--price: expected [id] beside it, which is one market, in either spelling',
  ],
  [['service', 'markets', 'BTC-USDC', '--price', 'HOLD'], '--price: expected BUY or SELL; got 4 characters'],
  [['service', 'markets', '--rebased'], '--rebased: expected --price beside it; got it alone'],
  [['service', 'orders', '--fills', '--status', 'NEW'], '--status: expected no --fills beside it; got both'],
  [['service', 'orders', '--asset-symbol', 'BTC'], '--asset-symbol: expected --fills beside it; got it alone'],
  [['service', 'orders', '--sdie', 'BUY'], "unknown option '--sdie'; did you mean --side?"],
  [['service', 'balancse'], "unknown command 'balancse'; did you mean balances?"],
])('the mistake in %j is named, and nothing is asked', async (argv, message) => {
  const { exitCode, stdout, stderr } = await sluice(...argv)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(`error: ${message}`)
})

test('without a service it is the built-in sandbox of the state directory, and needs no account', async () => {
  const state = path.join(service.dir, 'state')
  const argv = ['service', 'contacts', '--type', 'INTERNAL', '--state', state]
  const { exitCode, stdout, stderr } = await runInProcess(argv)
  expect(exitCode).toBe(0)
  expect(stdout).toContain('Subsidiary')
  expect(stderr).toContain(`from the built-in sandbox in ${state}`)
  expect(existsSync(path.join(state, 'built-in', 'sandbox.log'))).toBe(true)
})

test.each([
  [['service', 'assets', 'NOPE'], 'assetSymbol: NOPE', 'assets'],
  [['service', 'balances', '--history', 'NOPE'], 'assetSymbol: NOPE', 'assets'],
  [['service', 'markets', 'NOPE'], 'market: NOPE', 'markets'],
  [['service', 'markets', 'NOPE', '--price', 'BUY'], 'market: NOPE', 'markets'],
  [['service', 'orders', 'nope'], 'id: nope', 'orders'],
  [['service', 'withdrawals', 'nope'], 'id: nope', 'withdrawals'],
  [['service', 'contacts', 'nope'], 'contactId: nope', 'contacts'],
  [['service', 'contacts', 'rename', 'nope', '--alias', 'x', '--yes'], 'contactId: nope', 'contacts'],
])('%j, which does not exist, names the value and the command that lists the values', async (argv, named, list) => {
  const { exitCode, stderr } = await sluice(...argv)
  expect(exitCode).toBe(1)
  expect(stderr).toContain(`(${named})`)
  expect(stderr).toMatch(
    new RegExp(`^next: {2}npx sluice service ${list} --service ${service.sandbox.baseUrl} --keys `, 'm'),
  )
})

test('a filter that the service refuses is named with its value', async () => {
  const asked = ['service', 'markets', 'BTC-USDC', '--price', 'BUY', '--amount', '1', '--amount-asset', 'NOPE']
  const { exitCode, stderr } = await sluice(...asked)
  expect(exitCode).toBe(1)
  expect(stderr).toContain('(market: BTC-USDC, side: BUY, amount: 1, amountAsset: NOPE)')
})
