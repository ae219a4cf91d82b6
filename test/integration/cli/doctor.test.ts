// Tests the doctor's findings about a set-up that works, and about each kind of fault.
import path from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { startLocalServer } from '../../helpers/local-server.ts'
import { makeSelfSigned } from '../../helpers/self-signed.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { ask, examined, service, unwell, useService } from './examined-service.ts'

useService()

test('a set-up that works has only ok, one line a check, and exit 0', async () => {
  const { readonly: read, trade, transfer } = service.sandbox.keys
  const flags = service.flags({ read, trade, transfer })
  const { exitCode, stdout, stderr } = await runInProcess(['setup', 'doctor', '--probe-signing', ...flags])
  expect(exitCode).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.filter((line) => !line.startsWith('ok  '))).toEqual([])
  const names = lines.map((line) => line.slice(6).split('  ', 1)[0])
  expect(names).toEqual([
    'configuration',
    'guards',
    'halts',
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
  expect(stderr).toMatch(/^20 ok, 0 warn, 0 fail.*\nnext: {2}npx sluice whoami --service \S+ --keys \S+\n/)
})

test('a check without its flag is a warning, and warnings do not fail', async () => {
  const { exitCode, unwell } = await ask()
  expect({ exitCode, unwell }).toEqual({ exitCode: 0, unwell: ['warn signing', 'warn two-factor'] })
})

test('a probe of signing moves nothing', async () => {
  await ask('--probe-signing')
  expect(await service.control('/oracle')).toMatchObject({ movements: [], invariants: { ok: true } })
})

test('the doctor works without an account, on the built-in sandbox', async () => {
  const { exitCode, checks } = await examined('--probe-signing', '--state', path.join(service.dir, 'state'))
  expect({ exitCode, unwell: unwell(checks) }).toEqual({ exitCode: 0, unwell: [] })
})

test('a key that lacks a scope is reported by role and scope', async () => {
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

test('a key of the other stage is reported before anything is sent, and not shown', async () => {
  const secret = service.sandbox.keys.full.secret.replace('svc_test_', 'svc_live_')
  const { exitCode, stdout, stderr } = await runInProcess(['setup', 'doctor', ...service.flags({ secret })])
  expect(exitCode).toBe(1)
  expect(stdout).toContain('expected a key of the stage "test"')
  expect(stdout + stderr).not.toContain(secret.slice(9))
})

test('a key that the service does not know is reported once', async () => {
  const { exitCode, checks } = await examined(...service.flags(makeKey('UNKNOWN').material))
  expect(exitCode).toBe(1)
  expect(unwell(checks)).toEqual(['fail key known'])
})

test('checks that need a missing key are listed', async () => {
  const { exitCode, checks } = await examined('--asset', 'BTC', ...service.flags(makeKey('UNKNOWN').material))
  expect({ exitCode, unwell: unwell(checks) }).toEqual({ exitCode: 1, unwell: ['fail key known', 'fail named'] })
})

test('an unregistered signing key is reported', async () => {
  const { secret } = service.sandbox.keys.full
  const { privateKeyPem } = makeKey('OTHER')
  const { checks } = await examined('--probe-signing', ...service.flags({ secret, privateKeyPem }))
  expect(unwell(checks)).toEqual(['fail signing to trade', 'fail signing to transfer'])
  expect(checks.find(({ check }) => check === 'signing to trade')?.next).toMatch(/upload the public half/)
})

test('obstacles of the account are reported by name', async () => {
  onTestFinished(() => service.control('/account', { apiAccess: true, twoFactor: true }).then(() => {}))
  await service.control('/account', { twoFactor: false })
  expect(await ask('--probe-signing')).toMatchObject({ exitCode: 1, unwell: ['fail two-factor'] })
  await service.control('/account', { apiAccess: false })
  expect(await ask()).toMatchObject({ exitCode: 1, unwell: ['fail API access'] })
})

test('an address that may not use the key is reported', async () => {
  onTestFinished(() => service.control('/keys/rsa', { do: 'allowAddresses', addresses: ['127.0.0.1'] }).then(() => {}))
  await service.control('/keys/rsa', { do: 'allowAddresses', addresses: ['192.0.2.1'] })
  const { exitCode, checks } = await examined(...service.flags(service.sandbox.keys.rsa))
  expect({ exitCode, unwell: unwell(checks) }).toEqual({ exitCode: 1, unwell: ['fail IP allow-list'] })
})

test('maintenance is reported, and no key is sent then', async () => {
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
  'for a clock that is %i ms off the effect is reported, and that service time counts',
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

let requests: string[]

beforeEach(() => {
  requests = []
})

test.each([
  ['nothing', undefined, /ECONNREFUSED/],
  ['HTML', { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>hello</h1>' }, /not_json/],
  ['a gateway that is down', { status: 502, headers: { 'content-type': 'text/html' }, body: '<h1>502</h1>' }, /502/],
  ['a redirect', { status: 301, headers: { location: 'http://192.0.2.1/' }, body: '' }, /redirect/],
])('an address with %s behind it is reported, and no key is sent there', async (_what, answer, detail) => {
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

test('an untrusted certificate is reported', async () => {
  const server = await startLocalServer((_request, response) => response.end(), makeSelfSigned())
  onTestFinished(() => server.stop())
  const [, , ...keys] = service.flags()
  const { exitCode, checks } = await examined('--service', server.baseUrl, ...keys)
  expect({ exitCode, unwell: unwell(checks) }).toEqual({ exitCode: 1, unwell: ['fail TLS', 'fail address'] })
  expect(checks.find(({ check }) => check === 'TLS')?.detail).toMatch(/SELF_SIGNED/)
})
