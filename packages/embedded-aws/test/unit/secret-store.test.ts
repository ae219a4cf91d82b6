// Versions and labels of a secret move as in Secrets Manager, and a value for one start is never on disk.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { AwsClock } from '../../clock.ts'
import { isDraft } from '../../disk.ts'
import { fillSecrets } from '../../secrets/fill-secrets.ts'
import { SecretPolicies } from '../../secrets/secret-policies.ts'
import { SecretStore } from '../../secrets/secret-store.ts'
import { secretsEndpoint } from '../../secrets/secrets-endpoint.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'secret-store-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

let count = 0
let file = ''
beforeEach(() => {
  count += 1
  file = path.join(directory, `${count}.json`)
})

const version = (id: string, ...stages: readonly string[]) => ({
  id,
  secretString: `value ${id}`,
  stages,
  createdMs: 0,
})
const stagesOf = (store: SecretStore) =>
  Object.fromEntries(store.versions('key').map(({ id, stages }) => [id, stages.join(' ')]))

test('a new current version makes the former one the previous, and removes the label of the version before', () => {
  const store = new SecretStore(file)
  for (const id of ['a', 'b', 'c']) store.add('key', version(id, 'AWSCURRENT'))
  expect(stagesOf(store)).toEqual({ a: '', b: 'AWSPREVIOUS', c: 'AWSCURRENT' })
})

test('a pending version leaves the current one alone', () => {
  const store = new SecretStore(file)
  store.add('key', version('a', 'AWSCURRENT'))
  store.add('key', version('b', 'AWSPENDING'))
  expect(stagesOf(store)).toEqual({ a: 'AWSCURRENT', b: 'AWSPENDING' })
})

test('a label can be removed', () => {
  const store = new SecretStore(file)
  store.add('key', version('a', 'AWSCURRENT', 'mine'))
  store.moveStage('key', 'mine', undefined)
  expect(stagesOf(store)).toEqual({ a: 'AWSCURRENT' })
})

test('a stored version is found when the file is opened again', () => {
  new SecretStore(file).add('key', version('a', 'AWSCURRENT'))
  expect(new SecretStore(file).findByStage('key', 'AWSCURRENT')?.secretString).toBe('value a')
  expect(readdirSync(directory).filter((name) => isDraft(name))).toEqual([])
})

test('about a hundred versions are kept, and a version with a label is never dropped', () => {
  const store = new SecretStore(file)
  store.add('key', version('none', 'AWSCURRENT'))
  store.add('key', version('first', 'mine'))
  for (let serial = 0; serial < 120; serial++) store.add('key', version(String(serial), 'AWSCURRENT'))
  expect(store.versions('key').length).toBeLessThanOrEqual(101)
  expect(store.findByStage('key', 'mine')?.id).toBe('first')
  expect(store.findByStage('key', 'AWSPREVIOUS')?.id).toBe('118')
})

test('the first version is current, in addition to its given labels', () => {
  const store = new SecretStore(file)
  store.add('key', version('a', 'AWSPENDING'))
  expect(stagesOf(store)).toEqual({ a: 'AWSPENDING AWSCURRENT' })
})

const options = (store: SecretStore) => ({
  ...{
    declared: ['key'],
    arnOf: (name: string) => name,
    store,
    policies: new SecretPolicies(),
    clock: { nowMs: () => 0 } as AwsClock,
  },
  newId: () => `id-${store.versions('key').length}`,
})
const fill = (value: string, isKept: boolean) => {
  const store = new SecretStore(file)
  fillSecrets(options(store), [], { key: value }, isKept)
  return store
}
const currentIn = (store: SecretStore) => store.findByStage('key', 'AWSCURRENT')
const onDisk = () => readFileSync(file, 'utf8')

test('a value given for one start is never on disk, and a later start with the same value recognises it', () => {
  expect(currentIn(fill('first secret', false))?.secretString).toBe('first secret')
  expect(onDisk()).not.toContain('first secret')
  expect(currentIn(new SecretStore(file))).toMatchObject({ id: 'id-0', isGiven: true })
  expect(currentIn(new SecretStore(file))?.secretString).toBeUndefined()
  expect(currentIn(fill('first secret', false))).toMatchObject({ id: 'id-0', secretString: 'first secret' })
  expect(onDisk()).not.toContain('first secret')
  expect(currentIn(fill('second secret', false))).toMatchObject({ id: 'id-1', secretString: 'second secret' })
  expect(onDisk()).not.toMatch(/first secret|second secret/)
})

test('a value that an earlier start kept is removed from disk by the first start that does not keep it', () => {
  fill('kept secret', true)
  expect(onDisk()).toContain('kept secret')
  expect(currentIn(fill('kept secret', false))?.secretString).toBe('kept secret')
  expect(onDisk()).not.toContain('kept secret')
  fill('other', true)
  fill('again secret', false)
  expect(onDisk()).not.toMatch(/"other"|again secret/)
})

test('a value that a person put later stays current, and stays on disk', () => {
  const store = fill('given secret', false)
  store.add('key', { ...version('put', 'AWSCURRENT'), secretString: 'put secret' })
  expect(currentIn(fill('given secret', false))).toMatchObject({ id: 'put', secretString: 'put secret' })
  expect(onDisk()).toContain('put secret')
  expect(onDisk()).not.toContain('given secret')
})

test('a value that is not kept cannot be read until it is given again', async () => {
  fill('given secret', false)
  const { perform } = secretsEndpoint(options(new SecretStore(file)))
  await expect(perform('GetSecretValue', { SecretId: 'key' })).rejects.toMatchObject({ name: 'DecryptionFailure' })
  const again = secretsEndpoint(options(fill('given secret', false)))
  expect(await again.perform('GetSecretValue', { SecretId: 'key' })).toMatchObject({ SecretString: 'given secret' })
})
