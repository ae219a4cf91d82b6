// Tests the end of a rotation, step by step: what is promoted, what is refused, and what `keys status` shows.
import { describe, expect, test } from 'vitest'
import { makeKey } from '../../helpers/service-keys.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { setUpKeys } from './key-commands.ts'
import { upload, withKey } from './rotated-key.ts'

describe('keys promote', () => {
  test('makes exactly the verified version current, and nothing else', async () => {
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
    // A later draft takes the label AWSPENDING, and the verification stays with its version.
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

test('an interrupted promotion is finished by the same command', async () => {
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

describe('keys status', () => {
  test('shows the public parts of each version, and never a secret', async () => {
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

  test("gives the reason why nothing is known of a version's key", async () => {
    const set = await setUpKeys()
    await set.put('{"secret":"hunter2"}')
    const { exitCode, stdout } = await set.keys('status')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('key.secret: expected svc_live_ or svc_test_')
    expect(stdout).not.toContain('hunter2')
  })

  test('a missing secret is shown as empty, and the first key creates it', async () => {
    const set = await setUpKeys({ service: { keySecret: 'other/key' } })
    expect(await set.keys('status')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('empty') })
    const bearer = set.file('bearer', set.sandbox.keys.full.secret)
    expect(await set.keys('generate', '--bearer', bearer)).toMatchObject({ exitCode: 0 })
    expect(await set.keys('generate', '--bearer', bearer)).toMatchObject({ exitCode: 0 })
    expect(await set.keys('status')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('AWSPENDING') })
    // The other name was not touched.
    expect(await set.labels()).toEqual({})
  })
})

describe('--embedded', () => {
  test.each([
    [['status', '--state', 'x'], '--state: belongs to --embedded'],
    [['status', '--service', 'http://127.0.0.1:1'], '--service: belongs to --embedded'],
    [['status', '--embedded'], '--service: expected the address'],
    [['status', '--embedded', '--service', 'http://127.0.0.1:1', '--state', '/nowhere'], 'no runs of this service'],
  ])('%j is a mistake with a message and exit 2', async (argv, message) => {
    const { exitCode, stdout, stderr } = await runInProcess(['keys', ...argv])
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toContain(message)
  })
})
