// Tests `sluice statement` and its page over the journal of a state directory, with a sandbox of the test as the service.
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { openTestConsole } from '../console/opened-console.ts'
import { SERVICE, useCommandsBeside } from './commands.ts'

const timing = { tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 15, pollInsideSeconds: 0, pollWaits: 0 }
const treasury = { service: { ...SERVICE, shared: false }, timing }
const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
const TO_CHAIN = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }
const FROM = ['--from', '2020-01-01']

const { service, file, write } = useCommandsBeside()

beforeAll(async () => {
  write('treasury.json', treasury)
  for (const [verb, id, input] of [
    ['convert', 'bought', BUY],
    ['withdraw', 'sent', TO_CHAIN],
  ] as const) {
    write(`${id}.json`, input)
    await run('run', verb, file(`${id}.json`), '--id', id)
  }
})

const flags = () => ({
  ...{ state: file('state'), config: file('treasury.json') },
  ...{ service: service.baseUrl, keys: file('keys.json') },
})
const run = (...argv: string[]) =>
  runInProcess([...argv, ...Object.entries(flags()).flatMap(([name, value]) => [`--${name}`, value])])

test('a statement up to the present proves, with each kind in its line', async () => {
  const { exitCode, stdout, stderr } = await run('statement', ...FROM, '--asset', 'usdc', '--csv')
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('every asset is proven') })
  expect(stdout.split('\r\n').map((line) => line.split(',').slice(0, 6).join())).toEqual([
    'asset,line,in,out,count,balance',
    'USDC,opening balance,,,,0',
    'USDC,conversions,,250,1,',
    'USDC,withdrawals,,96,1,',
    'USDC,fees,,4,1,',
    'USDC,adjustments,100000,,1,',
    'USDC,closing balance,,,,99650',
    'USDC,proven,,,,',
    '',
  ])
})

test('JSON has the evidence of each asset, and the account', async () => {
  const { stdout } = await run('statement', ...FROM, '--json')
  const { account, assets, isProven, zone } = JSON.parse(stdout)
  expect({ account, isProven, zone }).toEqual({ account: expect.any(String), isProven: true, zone: 'UTC' })
  const usdc = assets.find((each: { asset: string }) => each.asset === 'USDC')
  expect(usdc.proof).toMatchObject({ isProven: true, openingBalance: '0', closingBalance: '99650', change: '99650' })
})

test('the console shows and downloads the same, and names a wrong period', async () => {
  const { ask, enter } = await openTestConsole(flags())
  const headers = { cookie: await enter() }
  const form = await ask('/statement', { headers })
  expect(form).toMatchObject({ status: 200, body: expect.stringContaining('name="zone" value="UTC"') })
  expect(form.body).not.toContain('closing balance')
  const shown = await ask('/statement?from=2020-01-01&to=&zone=UTC&asset=USDC', { headers })
  expect(shown.body).toMatch(/closing balance[\s\S]*99\u202f650[\s\S]*proven/)
  const bitcoin = await ask('/statement?from=2020-01-01&asset=BTC', { headers })
  expect(bitcoin.body).not.toContain('class="digits"')
  const csv = await ask('/statement.csv?from=2020-01-01&asset=USDC', { headers })
  expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(csv.body.split('\r\n')).toHaveLength(9)
  const wrong = await ask('/statement?from=yesterday', { headers })
  expect(wrong).toMatchObject({ status: 400, body: expect.stringContaining('&#34;From&#34;: expected a day') })
  expect(wrong.body).not.toContain('--from')
})

test.each([
  [[], '--from: expected the first day'],
  [[...FROM, '--to', '2019-01-01'], '--to: expected a time after --from'],
  [[...FROM, '--zone', 'Mars'], '--zone: expected the IANA name'],
  [[...FROM, '--csv', '--json'], '--csv and --json: expected one of them'],
])('%j is refused with exit 2', async (argv, said) => {
  const { exitCode, stdout, stderr } = await run('statement', ...argv)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(said)
})

test('a ledger that shows both legs of a withdrawal is not proven: the command says so and exits with 5', async () => {
  await service.control('/manners', { entries: 'legs' })
  const { exitCode, stdout, stderr } = await run('statement', ...FROM, '--csv')
  await service.control('/manners', { entries: 'whole' })
  expect(exitCode).toBe(5)
  expect(stdout).toMatch(/USDC,NOT PROVEN,.*-100 is not explained/)
  expect(stderr).toContain('not proven: USDC\n')
})

test('books are written for each program, and the accounts are those of treasury.json', async () => {
  const out = file('books.journal')
  const configured = { ...treasury, books: { payees: { 'exchange-usdc-eth': 'Assets:Exchange' } } }
  write('treasury.json', configured)
  const { exitCode, stderr } = await run('books', '--from', '2020-01-01', '--to', '2020-02-01', '--out', out)
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('0 transactions in') })
  await service.advance(2 * 86_400_000)
  const days = ['--from', '2020-01-01']
  const hledger = await run('books', ...days)
  expect(hledger).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Assets:Exchange  96 USDC') })
  const beancount = await run('books', ...days, '--format', 'beancount')
  expect(beancount.stdout).toMatch(/balance Assets:Sluice:USDC {2}99650 ~ 0 USDC/)
  const csv = await run('books', ...days, '--format', 'csv')
  expect(csv.stdout.split('\r\n')[0]).toBe(
    'transaction,day,at,title,payee,account,amount,asset,intentId,movementId,fillId,entries',
  )
})

test.each([
  [['--from', '2020-01-01T00:00:00Z'], '--from: expected a day'],
  [['--from', '2020-01-01', '--format', 'qif'], '--format: expected hledger, beancount or csv'],
  [['--from', '2020-01-01', '--json'], '--json: expected --out beside it'],
])('books with %j are refused with exit 2', async (argv, said) => {
  const { exitCode, stdout, stderr } = await run('books', ...argv)
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain(said)
})
