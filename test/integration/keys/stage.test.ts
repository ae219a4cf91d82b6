// A new version beside the present one: `keys generate` makes its signing key, `keys stage` its bearer secret.
import { createPublicKey } from 'node:crypto'
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { SECRET, setUpKeys, storedKey } from './key-commands.ts'
import { pendingKey, rotateBearer, upload, withKey } from './rotated-key.ts'

const OWN_KEY = 'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'

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

  test('adds a new bearer secret, and fills an empty secret with both', async () => {
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

  test.each([
    ['the KMS key of treasury.json', { secrets: OWN_KEY }, OWN_KEY],
    ['no key of one’s own where treasury.json names none', { logs: OWN_KEY }, undefined],
  ])('creates a missing secret under %s', async (_what, encryption, key) => {
    const set = await setUpKeys({ secrets: [] })
    const service = { url: set.sandbox.baseUrl, stage: 'test', keySecret: 'team/new-key' }
    const config = set.file('keyed.json', JSON.stringify({ service, encryption }))
    const bearer = set.file('bearer', `${set.sandbox.keys.full.secret}\n`)
    expect(await runInProcess(['keys', 'generate', '--bearer', bearer, '--config', config])).toMatchObject({
      exitCode: 0,
    })
    const { credentials, endpointUrl: endpoint, region } = set.access
    const client = new SecretsManagerClient({ endpoint, region, credentials })
    onTestFinished(() => client.destroy())
    expect((await client.send(new DescribeSecretCommand({ SecretId: 'team/new-key' }))).KmsKeyId).toBe(key)
  })

  test('continues from the pending change, so that a staged bearer secret stays; --from-current starts again', async () => {
    const set = await withKey()
    const secret = await rotateBearer(set)
    await set.keys('stage', '--bearer', set.file('bearer', secret))
    const { stderr } = await set.keys('generate')
    expect(stderr).toContain('continuing from the pending version')
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

  test('is refused for the role that reads, and for a key that KMS makes', async () => {
    const kmsKey = 'alias/sluice-trade'
    const set = await setUpKeys({ service: { keys: { trade: { secret: SECRET, kmsKey } } } })
    expect(await set.keys('generate', '--role', 'read')).toMatchObject({ exitCode: 2, stdout: '' })
    const { exitCode, stderr } = await set.keys('generate')
    expect(exitCode).toBe(2)
    expect(stderr).toContain(`service.keys.trade.kmsKey: the role signs with ${kmsKey}`)
  })
})

describe('keys stage', () => {
  test('puts the new bearer secret beside the old, with the unchanged signing key', async () => {
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
    ['no key at all', 'Canary hunter2', 'expected svc_live_ or svc_test_'],
  ])('refuses %s without quoting it', async (_what, text, message) => {
    const set = await withKey()
    const { exitCode, stdout, stderr } = await set.keys('stage', '--bearer', set.file('bearer', text))
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('Canary')
    expect(await set.read('AWSPENDING')).toBeUndefined()
  })

  test('names the missing flag', async () => {
    const set = await withKey()
    expect(await set.keys('stage')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--bearer: expected'),
    })
  })
})
