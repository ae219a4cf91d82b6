// Tests `keys verify`: what proves a new version, and that the proof moves nothing.
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { publicHalfOf } from '../../../operations/keys/signing-pair.ts'
import { boot } from '../../../packages/embedded-aws/test/integration/fixture/booted.ts'
import { answerJson, startLocalServer } from '../../helpers/local-server.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { SECRET, setUpKeys } from './key-commands.ts'
import { ACCOUNT, upload, withKey } from './rotated-key.ts'

describe('keys verify', () => {
  test('reports a public half that is not uploaded, shows it, and labels nothing', async () => {
    const set = await withKey()
    const { stdout: publicKeyPem } = await set.keys('generate')
    const { exitCode, stdout, stderr } = await set.keys('verify')
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('its public half is not uploaded, or was revoked')
    expect(stderr).toContain(publicKeyPem)
    expect(Object.values(await set.labels())).not.toContainEqual(expect.arrayContaining(['SLUICE_VERIFIED']))
  })

  test('verifies it after the upload, and has moved nothing', async () => {
    const set = await withKey()
    await upload(set, (await set.keys('generate')).stdout)
    const { exitCode, stdout } = await set.keys('verify', '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout).findings).toMatchObject([
      { role: 'trade', check: 'bearer', ok: true },
      { role: 'trade', check: 'signing', ok: true },
    ])
    const { movements } = (await (await fetch(`${set.sandbox.controlUrl}/oracle`)).json()) as { movements: unknown[] }
    expect(movements).toEqual([])
  })

  test('checks each role with an entry of its own, the one for transfers by a withdrawal to nobody', async () => {
    const set = await setUpKeys()
    const { trade, readonly, transfer } = set.sandbox.keys
    await set.put(JSON.stringify({ read: { secret: readonly.secret }, trade, transfer }))
    await set.put(JSON.stringify({ read: { secret: readonly.secret }, trade, transfer }), 'AWSPENDING')
    const { exitCode, stdout } = await set.keys('verify', '--json')
    expect(exitCode).toBe(0)
    const asked = JSON.parse(stdout).findings.map(({ role, check }: Record<string, string>) => `${role} ${check}`)
    expect(asked).toEqual(['read bearer', 'trade bearer', 'trade signing', 'transfer bearer', 'transfer signing'])
  })

  test('checks a KMS key like one of ours, and status shows its public half', async () => {
    const kmsKey = 'alias/sluice-trade'
    const set = await setUpKeys({ service: { keys: { trade: { secret: SECRET, kmsKey } } } })
    const { secret, privateKeyPem } = set.sandbox.keys.trade
    const kms = await boot({}, { kmsKeys: { [kmsKey]: privateKeyPem }, credentials: set.access.credentials })
    vi.stubEnv('AWS_ENDPOINT_URL_KMS', kms.endpointUrl)
    await set.put(JSON.stringify({ secret: set.sandbox.keys.transfer.secret }))
    expect(await set.keys('stage', '--bearer', set.file('bearer', secret))).toMatchObject({ exitCode: 0 })
    expect(await set.keys('verify')).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('trade signing') })
    const [pending] = JSON.parse((await set.keys('status', '--json')).stdout)
    expect(pending).toMatchObject({ kmsKey, alg: 'EdDSA', fingerprint: publicHalfOf(privateKeyPem).fingerprint })
  })

  test.each([
    [{ status: 403, code: 'two_factor_required' }, 'nothing is known yet'],
    [{ status: 503, code: 'maintenance' }, 'nothing is known yet'],
  ])('does not take %o for a yes, and reports it', async (problem, told) => {
    const set = await withKey()
    await upload(set, (await set.keys('generate')).stdout)
    const match = { method: 'POST', path: '/v2/orders' }
    await set.control('/rules', { match, fault: { kind: 'errorBeforeCommit', ...problem } })
    const { exitCode, stderr } = await set.keys('verify')
    expect(exitCode).toBe(1)
    expect(stderr).toContain(told)
    expect(stderr).toContain(problem.code)
  })

  test('refuses a bearer secret unknown to the service', async () => {
    const set = await withKey()
    await set.keys('stage', '--bearer', set.file('bearer', `svc_test_${'Unknown'.padEnd(38, '0')}`))
    const { exitCode, stderr } = await set.keys('verify')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('401 unauthorized')
    expect(stderr).not.toContain('Unknown')
  })
})

test('a key of another account is not verified', async () => {
  const own = makeKey('Own')
  const others = makeKey('Others')
  const server = await startLocalServer((request, response) => {
    const id = request.headers.authorization?.includes(own.secret) ? 'ours' : 'theirs'
    answerJson(response, 200, { ...ACCOUNT, id })
  })
  onTestFinished(() => server.stop())
  const set = await setUpKeys({
    service: { url: server.baseUrl, keys: { read: { secret: SECRET } }, keySecret: 'none' },
  })
  await set.put(own.material)
  await set.put(others.material, 'AWSPENDING')
  const { exitCode, stderr } = await set.keys('verify', '--role', 'read')
  expect(exitCode).toBe(1)
  expect(stderr).toContain('a key of another account than the current key')
})
