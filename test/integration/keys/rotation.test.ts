// `sluice keys` step by step: what each command does to the secret, says, and refuses.
import { createPublicKey } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { publicHalfOf } from '../../../cli/keys/signing-pair.ts'
import { boot } from '../../../embedded-aws/test/integration/fixture/booted.ts'
import { answerJson, startLocalServer } from '../../helpers/local-server.ts'
import { makeKey } from '../../helpers/service-keys.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type KeySetUp, SECRET, setUpKeys, storedKey } from './key-commands.ts'

const ACCOUNT = {
  username: 'u',
  email: 'u@example.com',
  fullName: 'U',
  nationalId: null,
  verificationStatus: 'VERIFIED',
  preferredCurrency: 'USD',
}

interface Key {
  readonly secret: string
  readonly privateKeyPem: string
  readonly alg: string
}

async function withKey(): Promise<KeySetUp & { readonly first: string }> {
  const set = await setUpKeys()
  return { ...set, first: await set.put(storedKey(set.sandbox.keys.full)) }
}

const upload = ({ control }: KeySetUp, publicKeyPem: string) =>
  control('/keys/full', { do: 'addSigningKey', publicKeyPem })

/** What the dashboard would show once: the newest secret of the key. */
async function rotateBearer({ control }: KeySetUp): Promise<string> {
  const { secrets } = (await control('/keys/full', { do: 'rotate' })) as { secrets: { secret: string }[] }
  return secrets.at(-1)?.secret ?? ''
}

async function pendingKey({ read }: KeySetUp): Promise<Key> {
  return JSON.parse((await read('AWSPENDING'))?.text ?? 'null')
}

describe('keys generate', () => {
  test.each(['EdDSA', 'RS256'] as const)('puts a new %s key as pending and prints its public half', async (alg) => {
    const set = await withKey()
    const { exitCode, stdout, stderr } = await set.keys('generate', '--alg', alg)
    expect(exitCode).toBe(0)
    const pending = await pendingKey(set)
    expect(pending).toMatchObject({ secret: set.sandbox.keys.full.secret, alg })
    const derived = createPublicKey(pending.privateKeyPem).export({ type: 'spki', format: 'pem' }).toString()
    expect(stdout).toBe(derived)
    expect(stderr).toMatch(/next: {2}upload .*\n.* keys verify --role trade/)
    expect((await set.read('AWSCURRENT'))?.id).toBe(set.first)
    for (const secret of [pending.secret, pending.privateKeyPem.split('\n')[1] ?? '']) {
      expect(stdout + stderr).not.toContain(secret)
    }
  })

  test('takes a new bearer secret along, and fills an empty secret with both', async () => {
    const set = await setUpKeys()
    const bearer = set.file('bearer', `${set.sandbox.keys.full.secret}\n`)
    expect(await set.keys('generate')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('the secret is empty'),
    })
    const { exitCode, stdout } = await set.keys('generate', '--bearer', bearer, '--json')
    expect(exitCode).toBe(0)
    const told = JSON.parse(stdout)
    expect(told).toMatchObject({
      role: 'trade',
      secretName: SECRET,
      alg: 'EdDSA',
      prefix: set.sandbox.keys.full.prefix,
    })
    expect(told.fingerprint).toMatch(/^sha256:[0-9a-f]{64}$/)
    await upload(set, told.publicKeyPem)
    expect(await set.keys('verify')).toMatchObject({ exitCode: 0 })
    // The first version of a secret is current from the beginning.
    expect(await set.keys('promote')).toMatchObject({ exitCode: 0 })
    expect(await set.labels()).toEqual({ [told.versionId]: ['AWSCURRENT', 'SLUICE_VERIFIED'] })
  })

  test('goes on from what is pending, so that a staged bearer secret stays; --from-current starts afresh', async () => {
    const set = await withKey()
    const secret = await rotateBearer(set)
    await set.keys('stage', '--bearer', set.file('bearer', secret))
    const { stderr } = await set.keys('generate')
    expect(stderr).toContain('going on from the pending version')
    expect((await pendingKey(set)).secret).toBe(secret)
    await set.keys('generate', '--from-current')
    expect((await pendingKey(set)).secret).toBe(set.sandbox.keys.full.secret)
  })

  test('changes the entry of its role only', async () => {
    const set = await setUpKeys()
    const { trade, readonly, transfer } = set.sandbox.keys
    const material = { read: { secret: readonly.secret }, trade, transfer }
    await set.put(JSON.stringify(material))
    expect(await set.keys('generate', '--role', 'transfer')).toMatchObject({ exitCode: 0 })
    const pending = JSON.parse((await set.read('AWSPENDING'))?.text ?? '')
    expect(pending).toMatchObject({ read: material.read, trade: material.trade })
    expect(pending.transfer.secret).toBe(transfer.secret)
    expect(pending.transfer.privateKeyPem).not.toBe(transfer.privateKeyPem)
  })

  test('is refused for the role that reads, and where KMS makes the key', async () => {
    const kmsKey = 'alias/sluice-trade'
    const set = await setUpKeys({ service: { keys: { trade: { secret: SECRET, kmsKey } } } })
    expect(await set.keys('generate', '--role', 'read')).toMatchObject({ exitCode: 2, stdout: '' })
    const { exitCode, stderr } = await set.keys('generate')
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`service.keys.trade.kmsKey: the role signs with ${kmsKey}`)
  })
})

describe('keys stage', () => {
  test('puts the new bearer secret beside the old, with the signing key as it was', async () => {
    const set = await withKey()
    const secret = await rotateBearer(set)
    const { exitCode, stdout } = await set.keys('stage', '--bearer', set.file('bearer', `${secret}\n`), '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ role: 'trade', prefix: secret.slice(0, 21) })
    expect(await pendingKey(set)).toEqual({ ...JSON.parse(storedKey(set.sandbox.keys.full)), secret })
    expect((await set.read('AWSCURRENT'))?.id).toBe(set.first)
  })

  test.each([
    ['a live key where test ones belong', `svc_live_${'Canary'.padEnd(38, '0')}`, 'stage "test"'],
    ['what is no key', 'Canary hunter2', 'expected svc_live_ or svc_test_'],
  ])('refuses %s without quoting it', async (_what, text, message) => {
    const set = await withKey()
    const { exitCode, stdout, stderr } = await set.keys('stage', '--bearer', set.file('bearer', text))
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('Canary')
    expect(await set.read('AWSPENDING')).toBeUndefined()
  })

  test('says which flag is missing', async () => {
    const set = await withKey()
    expect(await set.keys('stage')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--bearer: expected'),
    })
  })
})

describe('keys verify', () => {
  test('says that a public half is not uploaded, shows it, and labels nothing', async () => {
    const set = await withKey()
    const { stdout: publicKeyPem } = await set.keys('generate')
    const { exitCode, stdout, stderr } = await set.keys('verify')
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toContain('its public half is not uploaded, or was revoked')
    expect(stderr).toContain(publicKeyPem)
    expect(Object.values(await set.labels())).not.toContainEqual(expect.arrayContaining(['SLUICE_VERIFIED']))
  })

  test('says yes once it is, and has moved nothing', async () => {
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

  test('asks for each role with an entry of its own, the one that transfers by a withdrawal to nobody', async () => {
    const set = await setUpKeys()
    const { trade, readonly, transfer } = set.sandbox.keys
    await set.put(JSON.stringify({ read: { secret: readonly.secret }, trade, transfer }))
    await set.put(JSON.stringify({ read: { secret: readonly.secret }, trade, transfer }), 'AWSPENDING')
    const { exitCode, stdout } = await set.keys('verify', '--json')
    expect(exitCode).toBe(0)
    const asked = JSON.parse(stdout).findings.map(({ role, check }: Record<string, string>) => `${role} ${check}`)
    expect(asked).toEqual(['read bearer', 'trade bearer', 'trade signing', 'transfer bearer', 'transfer signing'])
  })

  test('asks about a KMS key as about one of ours, and status shows its public half', async () => {
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
  ])('takes %o for no yes, and tells it', async (problem, told) => {
    const set = await withKey()
    await upload(set, (await set.keys('generate')).stdout)
    const match = { method: 'POST', path: '/v2/orders' }
    await set.control('/rules', { match, fault: { kind: 'errorBeforeCommit', ...problem } })
    const { exitCode, stderr } = await set.keys('verify')
    expect(exitCode).toBe(1)
    expect(stderr).toContain(told)
    expect(stderr).toContain(problem.code)
  })

  test('refuses a bearer secret that the service does not know', async () => {
    const set = await withKey()
    await set.keys('stage', '--bearer', set.file('bearer', `svc_test_${'Unknown'.padEnd(38, '0')}`))
    const { exitCode, stderr } = await set.keys('verify')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('401 unauthorized')
    expect(stderr).not.toContain('Unknown')
  })
})

describe('keys promote', () => {
  test('makes current the very version that was verified, and nothing else', async () => {
    const set = await withKey()
    expect(await set.keys('promote')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no version is pending'),
    })
    const { stdout } = await set.keys('generate', '--json')
    const verified = JSON.parse(stdout)
    await upload(set, verified.publicKeyPem)
    expect(await set.keys('promote')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not verified') })
    await set.keys('verify')
    // A later draft takes the label AWSPENDING, and the yes stays with the version that it was said to.
    const later = JSON.parse((await set.keys('generate', '--json')).stdout)
    expect(await set.keys('promote')).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is not verified') })
    await upload(set, later.publicKeyPem)
    await set.keys('verify')
    expect(await set.keys('promote')).toMatchObject({ exitCode: 0 })
    expect(await set.labels()).toEqual({
      [set.first]: ['AWSPREVIOUS'],
      [later.versionId]: ['AWSCURRENT', 'SLUICE_VERIFIED'],
    })
  })
})

test('a promotion that was cut off after its first half is finished by the same command', async () => {
  const set = await withKey()
  const { versionId, publicKeyPem } = JSON.parse((await set.keys('generate', '--json')).stdout)
  await upload(set, publicKeyPem)
  await set.keys('verify')
  await set.makeCurrent(versionId, set.first)
  expect(await set.keys('promote')).toMatchObject({ exitCode: 0 })
  expect(await set.labels()).toEqual({ [set.first]: ['AWSPREVIOUS'], [versionId]: ['AWSCURRENT', 'SLUICE_VERIFIED'] })
})

test('keys of the other stage are refused by every command that would use them', async () => {
  const set = await withKey()
  const live = makeKey('Canary', 'EdDSA', 'live')
  await set.put(live.material, 'AWSPENDING', 'SLUICE_VERIFIED')
  for (const command of ['generate', 'verify', 'promote']) {
    const { exitCode, stdout, stderr } = await set.keys(command)
    expect({ command, exitCode, stdout }).toEqual({ command, exitCode: 2, stdout: '' })
    expect(stderr).toContain('expected a key of the stage "test"')
    expect(stderr).not.toContain('Canary')
  }
  expect((await set.read('AWSCURRENT'))?.id).toBe(set.first)
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
  expect(stderr).toContain('a key of another account than the one in use')
})

describe('keys status', () => {
  test('shows what is public of each version, and never a secret', async () => {
    const set = await withKey()
    await set.keys('generate')
    const { stdout } = await set.keys('status', '--json')
    const rows = JSON.parse(stdout)
    expect(rows.map((row: { labels: string[] }) => row.labels)).toEqual([['AWSPENDING'], ['AWSCURRENT']])
    const { prefix, secret, privateKeyPem } = set.sandbox.keys.full
    expect(rows[1]).toMatchObject({ roles: ['read', 'trade', 'transfer'], prefix, alg: 'EdDSA' })
    const table = await set.keys('status')
    expect(table.stdout).toContain(rows[0].fingerprint)
    expect(table.stderr).toContain('keys verify --role trade')
    for (const text of [stdout, table.stdout, table.stderr]) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain(privateKeyPem.split('\n')[1])
      expect(text).not.toContain('PRIVATE')
    }
  })

  test('says of a version why nothing is known of its key', async () => {
    const set = await setUpKeys()
    await set.put('{"secret":"hunter2"}')
    const { exitCode, stdout } = await set.keys('status')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('key.secret: expected svc_live_ or svc_test_')
    expect(stdout).not.toContain('hunter2')
  })

  test('a secret that is not declared is a configuration that does not fit', async () => {
    const set = await setUpKeys({ service: { keySecret: 'other/key' } })
    expect(await set.keys('status')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('no such secret') })
  })
})

describe('--embedded', () => {
  test.each([
    [['status', '--state', 'x'], '--state: belongs to --embedded'],
    [['status', '--service', 'http://127.0.0.1:1'], '--service: belongs to --embedded'],
    [['status', '--embedded'], '--service: expected the address'],
    [['status', '--embedded', '--service', 'http://127.0.0.1:1', '--state', '/nowhere'], 'no runs of this service'],
  ])('%j is a mistake that is named, with exit 2', async (argv, message) => {
    const { exitCode, stdout, stderr } = await runInProcess(['keys', ...argv])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})
