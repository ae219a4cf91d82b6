// What the doctor says of a set-up that works, and of each way in which one does not.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Check } from '../../../cli/doctor/check.ts'
import { startLocalServer } from '../../helpers/local-server.ts'
import { makeSelfSigned } from '../../helpers/self-signed.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

let service: ArrangedService
beforeAll(async () => {
  service = await startArrangedService('doctor')
})
afterAll(() => service.stop())

async function examined(...argv: string[]) {
  const { exitCode, stdout } = await runInProcess(['doctor', '--json', ...argv])
  return { exitCode, checks: JSON.parse(stdout) as Check[] }
}

/** Those that are not ok, as `status check`. */
const unwell = (checks: readonly Check[]) =>
  checks.filter(({ status }) => status !== 'ok').map(({ check, status }) => `${status} ${check}`)

async function ask(...argv: string[]) {
  const { exitCode, checks } = await examined(...argv, ...service.flags())
  return { exitCode, checks, unwell: unwell(checks) }
}

test('a set-up that works has nothing but ok, one line a check, and exit 0', async () => {
  const { readonly: read, trade, transfer } = service.sandbox.keys
  const flags = service.flags({ read, trade, transfer })
  const { exitCode, stdout, stderr } = await runInProcess(['doctor', '--probe-signing', ...flags])
  expect(exitCode).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.filter((line) => !line.startsWith('ok  '))).toEqual([])
  const names = lines.map((line) => line.slice(6).split('  ', 1)[0])
  expect(names).toEqual([
    'configuration',
    'guards',
    'host name',
    'TLS',
    'address',
    'maintenance',
    'key to read',
    'key to trade',
    'key to transfer',
    'clock',
    'key known',
    'IP allow-list',
    'API access',
    'scopes to read',
    'scopes to trade',
    'scopes to transfer',
    'signing to trade',
    'signing to transfer',
    'two-factor',
  ])
  expect(stderr).toMatch(/^19 ok, 0 warn, 0 fail.*\nnext: {2}npx sluice account --service \S+ --keys \S+\n/)
})

test('what was not asked for is a warning, and warnings do not fail', async () => {
  const { exitCode, unwell } = await ask()
  expect({ exitCode, unwell }).toEqual({ exitCode: 0, unwell: ['warn signing', 'warn two-factor'] })
})

test('a probe of signing moves nothing', async () => {
  await ask('--probe-signing')
  expect(await service.control('/oracle')).toMatchObject({ movements: [], invariants: { ok: true } })
})

test('it works with no account, on the built-in sandbox', async () => {
  const { exitCode, checks } = await examined('--probe-signing', '--state', path.join(service.dir, 'state'))
  expect({ exitCode, unwell: unwell(checks) }).toEqual({ exitCode: 0, unwell: [] })
})

test('a key with a scope too few is told by role and scope', async () => {
  const { readonly, full } = service.sandbox.keys
  const keys = { read: full, trade: { ...readonly }, transfer: { ...readonly } }
  const { exitCode, checks } = await examined('--probe-signing', ...service.flags(keys))
  expect(exitCode).toBe(1)
  expect(unwell(checks)).toEqual(['fail scopes to trade', 'fail signing to trade', 'fail signing to transfer'])
  expect(checks.find(({ check }) => check === 'scopes to trade')).toMatchObject({
    detail: 'insufficient_scope: lacks trading:write',
    next: 'scopes are fixed when a key is created: create one with the missing scope, and use that',
  })
})

test('a key without a private half cannot trade', async () => {
  const { secret } = service.sandbox.keys.full
  const { exitCode, checks } = await examined(...service.flags({ secret }))
  expect({ exitCode, unwell: unwell(checks) }).toEqual({
    exitCode: 1,
    unwell: ['fail key to trade', 'warn key to transfer'],
  })
})

test('a key of the other stage is told before anything is sent, and not shown', async () => {
  const secret = service.sandbox.keys.full.secret.replace('svc_test_', 'svc_live_')
  const { exitCode, stdout, stderr } = await runInProcess(['doctor', ...service.flags({ secret })])
  expect(exitCode).toBe(1)
  expect(stdout).toContain('expected a key of the stage "test"')
  expect(stdout + stderr).not.toContain(secret.slice(9))
})

test('a key that the service does not know is told once', async () => {
  const { exitCode, checks } = await examined(...service.flags(makeKey('UNKNOWN').material))
  expect(exitCode).toBe(1)
  expect(unwell(checks)).toEqual(['fail key known'])
})

test('what could not be looked at without a key is not passed over', async () => {
  const { exitCode, checks } = await examined('--asset', 'BTC', ...service.flags(makeKey('UNKNOWN').material))
  expect({ exitCode, unwell: unwell(checks) }).toEqual({ exitCode: 1, unwell: ['fail key known', 'fail named'] })
})

test('a signing key that is not registered is told', async () => {
  const { secret } = service.sandbox.keys.full
  const { privateKeyPem } = makeKey('OTHER')
  const { checks } = await examined('--probe-signing', ...service.flags({ secret, privateKeyPem }))
  expect(unwell(checks)).toEqual(['fail signing to trade', 'fail signing to transfer'])
  expect(checks.find(({ check }) => check === 'signing to trade')?.next).toMatch(/upload the public half/)
})

test('what the account stands in the way with is told by name', async () => {
  onTestFinished(() => service.control('/account', { apiAccess: true, twoFactor: true }).then(() => {}))
  await service.control('/account', { twoFactor: false })
  expect(await ask('--probe-signing')).toMatchObject({ exitCode: 1, unwell: ['fail two-factor'] })
  await service.control('/account', { apiAccess: false })
  expect(await ask()).toMatchObject({ exitCode: 1, unwell: ['fail API access'] })
})

test('an address that the key may not be used from is told', async () => {
  onTestFinished(() => service.control('/keys/rsa', { do: 'allowAddresses', addresses: ['127.0.0.1'] }).then(() => {}))
  await service.control('/keys/rsa', { do: 'allowAddresses', addresses: ['192.0.2.1'] })
  const { exitCode, checks } = await examined(...service.flags(service.sandbox.keys.rsa))
  expect({ exitCode, unwell: unwell(checks) }).toEqual({ exitCode: 1, unwell: ['fail IP allow-list'] })
})

test('maintenance is told, and no key is sent into it', async () => {
  onTestFinished(() => service.control('/maintenance', { on: false }).then(() => {}))
  await service.control('/maintenance', { on: true })
  const { exitCode, checks } = await ask()
  expect({ exitCode, unwell: unwell(checks) }).toEqual({ exitCode: 1, unwell: ['fail maintenance'] })
  expect(checks.map(({ check }) => check)).not.toContain('key known')
})

test('a clock that is a minute off is a warning with the offset', async () => {
  onTestFinished(() => service.control('/clock', { offsetMs: 0 }).then(() => {}))
  await service.control('/clock', { advanceMs: 60_000 })
  const { exitCode, checks } = await ask()
  expect(exitCode).toBe(0)
  const clock = checks.find(({ check }) => check === 'clock')
  expect(clock).toMatchObject({
    status: 'warn',
    detail: expect.stringMatching(/^this machine is (59\.9|60\.0)\d* s behind/),
  })
  expect(clock?.detail).toMatch(/give or take \d\.\d{3} s$/)
})

test.each([
  [900_000, /^this machine is (899\.9|900\.0)\d* s behind/, /is over 15 min too early, .* starts 15 min late$/],
  [-900_000, /^this machine is (899\.9|900\.0)\d* s ahead of/, /holds 15 min too long, .* starts 15 min early$/],
])(
  'of a clock that is %i ms off it is told what follows, and that service time counts',
  async (offsetMs, is, follows) => {
    onTestFinished(() => service.control('/clock', { offsetMs: 0 }).then(() => {}))
    await service.control('/clock', { offsetMs })
    const clock = (await ask()).checks.find(({ check }) => check === 'clock')
    expect(clock).toMatchObject({ status: 'warn', detail: expect.stringMatching(is) })
    expect(clock?.next).toMatch(
      /^service time is what counts, here and for notAfter: until this machine's clock is set, /,
    )
    expect(clock?.next).toMatch(follows)
  },
)

const contactOf = (reference: string) => service.sandbox.contacts.find((each) => each.reference === reference)?.id

test('contacts, assets and markets that fit are told with their minimums, fees and steps', async () => {
  const { checks, unwell } = await ask(
    ...['--asset', 'nvdax', '--market', 'NVDAX-USDC'],
    ...['--contact', `${contactOf('cold-usdc-polygon')}=USDC@POLYGON`],
    ...['--contact', `${contactOf('subsidiary')}=BTC`, '--contact', `${contactOf('house-bank-usd')}=USD`],
  )
  expect(unwell).toEqual(['warn signing', 'warn two-factor'])
  expect(checks.slice(-5).map(({ detail }) => detail)).toEqual([
    'NVDASPV (NVDAX), STOCK, in steps of 0.00000001',
    'NVDASPV-USDC, at least 0.01 NVDASPV in steps of 0.00000001, at least 5 USDC in steps of 0.000001',
    '"Cold storage USDC", USDC on POLYGON: fee 0.1, at least 1, and 1.1 where the fee is deducted',
    '"Subsidiary", INTERNAL: at least 0.00001 BTC, no fee',
    '"House bank USD", BANK_ACCOUNT: at least 10 USD, no fee',
  ])
})

test.each([
  ['--asset', () => 'A/B %?+', 'does not exist'],
  ['--market', () => 'BTC-XYZ', 'does not exist'],
  ['--contact', () => 'no/body %?+=USDC', 'does not exist'],
  ['--contact', () => `${contactOf('cold-usdc-polygon')}=BTC`, '"Cold storage USDC" is for USDC, not for BTC'],
  ['--contact', () => `${contactOf('cold-usdc-polygon')}=USDC@ETH`, '"Cold storage USDC" is on POLYGON, not on ETH'],
  ['--contact', () => `${contactOf('equity-vault')}=AAPLX`, 'AAPLX is not the settled code, which is AAPLSPV'],
])('%s that does not fit fails', async (option, value, detail) => {
  const { exitCode, checks } = await ask(option, value())
  expect(exitCode).toBe(1)
  expect(checks.at(-1)).toMatchObject({ status: 'fail', detail, next: expect.stringMatching(/./) })
})

function policiesFile(name: string, policies: unknown, guards: unknown = {}): string {
  const config = path.join(service.dir, `${name}.json`)
  const settings = { url: 'https://api.example.com', stage: 'test' }
  writeFileSync(config, JSON.stringify({ service: settings, guards, policies }))
  return config
}

test('policies whose assets, markets and contacts are there and fit are ok, one line each', async () => {
  const contactId = contactOf('cold-usdc-polygon')
  const config = policiesFile('fitting', {
    core: { kind: 'rebalance', weights: { BTC: '0.5', USDC: '0.5' } },
    nightly: { kind: 'sweep', rules: [{ assets: ['ETH'], convertInto: 'USDC', contactId }] },
    pay: { kind: 'convert-and-withdraw', from: 'SOL', into: 'USDC', amount: '1', contactId },
    cash: { kind: 'fund', asset: 'USD', atLeast: '10', from: [{ asset: 'EUR' }], hubs: ['USDC'] },
  })
  const { exitCode, checks } = await ask('--config', config)
  expect(checks.filter(({ check }) => /^policy|^guards of/.test(check))).toEqual([
    { check: 'policy core', status: 'ok', detail: 'rebalance: 2 names, all there and fitting', next: null },
    { check: 'policy nightly', status: 'ok', detail: 'sweep: 3 names, all there and fitting', next: null },
    { check: 'policy pay', status: 'ok', detail: 'convert-and-withdraw: 3 names, all there and fitting', next: null },
    { check: 'policy cash', status: 'ok', detail: 'fund: 3 names, all there and fitting', next: null },
    { check: 'guards of all', status: 'ok', detail: 'guards: 1 names, all there and fitting', next: null },
  ])
  expect(exitCode).toBe(0)
})

test('what policies name and the service does not have, or does not fit, fails with its place', async () => {
  const contactId = contactOf('cold-usdc-polygon')
  const rules = [
    { assets: ['BTC'], contactId },
    { assets: ['AAPLX'], contactId: 'no/body %?+' },
  ]
  const config = policiesFile(
    'mismatches',
    {
      core: { kind: 'rebalance', weights: { XYZ: '0.5', USDC: '0.5' }, leaveAlone: ['eth'] },
      nightly: { kind: 'sweep', rules },
      pay: { kind: 'convert-and-withdraw', from: 'SOL', into: 'BTC', contactId },
    },
    { allowedMarkets: ['btc-usdc', 'BTC-XYZ', 'SOL-BTC'] },
  )
  const { exitCode, checks } = await ask('--config', config)
  expect(checks.filter(({ status }) => status === 'fail').map(({ check, detail }) => `${check}: ${detail}`)).toEqual([
    'policy core: policies.core.weights.XYZ: there is no asset XYZ',
    'policy core: policies.core.leaveAlone[0]: eth is not the settled code, which is ETH',
    'policy nightly: policies.nightly.rules[1].assets[0]: AAPLX is not the settled code, which is AAPLSPV',
    'policy nightly: policies.nightly.rules[0].contactId: "Cold storage USDC" is for USDC, not for BTC',
    'policy nightly: policies.nightly.rules[1].contactId: there is no contact no/body %?+',
    'policy pay: policies.pay.contactId: "Cold storage USDC" is for USDC, not for BTC',
    'policy pay: policies.pay.into: no market turns SOL into BTC directly',
    'guards of all: guards.allowedMarkets[0]: btc-usdc is not the settled spelling, which is BTC-USDC',
    'guards of all: guards.allowedMarkets[1]: there is no market BTC-XYZ',
    'guards of all: guards.allowedMarkets[2]: there is no market SOL-BTC',
  ])
  expect(exitCode).toBe(1)
})

test('guards that make no sense are told, whatever else is well', async () => {
  const config = path.join(service.dir, 'guards.json')
  const settings = { url: 'https://api.example.com', stage: 'test' }
  writeFileSync(config, JSON.stringify({ service: settings, timing: { pollWaits: 1 } }))
  expect(await ask('--config', config)).toMatchObject({ exitCode: 1, unwell: expect.arrayContaining(['fail guards']) })
})

test('a configuration that is none is exit 2', async () => {
  const config = path.join(service.dir, 'broken.json')
  writeFileSync(config, '{"service":{}}')
  const { exitCode, stdout, stderr } = await runInProcess(['doctor', '--config', config, '--json'])
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(JSON.parse(stderr).error.code).toBe('configuration')
})

let requests: string[]
beforeEach(() => {
  requests = []
})

test.each([
  ['nothing', undefined, /ECONNREFUSED/],
  ['HTML', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>hello</h1>' }, /not_json/],
  ['a gateway that is down', { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>502</h1>' }, /502/],
  ['a redirect', { status: 301, headers: { location: 'http://192.0.2.1/' }, body: '' }, /redirect/],
])('an address with %s behind it is told, and no key is sent there', async (_what, answer, detail) => {
  const server = await startLocalServer(({ headers }, response) => {
    requests.push(headers.authorization ?? 'no key')
    response.writeHead(answer?.status ?? 200, answer?.headers).end(answer?.body)
  })
  if (answer === undefined) await server.stop()
  else onTestFinished(() => server.stop())
  const [, , ...keys] = service.flags()
  const { exitCode, checks } = await examined('--service', server.baseUrl, ...keys)
  expect({ exitCode, unwell: unwell(checks) }).toEqual({ exitCode: 1, unwell: ['fail address'] })
  expect(checks.find(({ check }) => check === 'address')?.detail).toMatch(detail)
  expect(new Set(requests)).toEqual(new Set(answer === undefined ? [] : ['no key']))
})

test('a certificate that nobody vouches for is told', async () => {
  const server = await startLocalServer((_request, response) => response.end(), makeSelfSigned())
  onTestFinished(() => server.stop())
  const [, , ...keys] = service.flags()
  const { exitCode, checks } = await examined('--service', server.baseUrl, ...keys)
  expect({ exitCode, unwell: unwell(checks) }).toEqual({ exitCode: 1, unwell: ['fail TLS', 'fail address'] })
  expect(checks.find(({ check }) => check === 'TLS')?.detail).toMatch(/SELF_SIGNED/)
})
