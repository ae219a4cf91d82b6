import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { builtVariant } from '../../../../test/mutants/built-variant.ts'
import { edit } from '../../../../test/mutants/source-edits.ts'
import type { AwsClock } from '../../clock.ts'
import { isDraft } from '../../disk.ts'
import { fillSecrets } from '../../secrets/fill-secrets.ts'
import { SecretPolicies } from '../../secrets/secret-policies.ts'
import type * as product from '../../secrets/secret-store.ts'
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
  Object.fromEntries(store.versions('key').map((each) => [each.id, each.stages.join(' ')]))

test('a new current version makes the former one the previous, and frees the one before', () => {
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

test('a label can be taken away', () => {
  const store = new SecretStore(file)
  store.add('key', version('a', 'AWSCURRENT', 'mine'))
  store.moveStage('key', 'mine', undefined)
  expect(stagesOf(store)).toEqual({ a: 'AWSCURRENT' })
})

test('what was stored is there for the next one who opens the file', () => {
  new SecretStore(file).add('key', version('a', 'AWSCURRENT'))
  expect(new SecretStore(file).findByStage('key', 'AWSCURRENT')?.secretString).toBe('value a')
  expect(readdirSync(directory).filter((name) => isDraft(name))).toEqual([])
})

test('only a hundred versions are kept, and never one with a label is dropped', () => {
  const store = new SecretStore(file)
  store.add('key', version('none', 'AWSCURRENT'))
  store.add('key', version('first', 'mine'))
  for (let each = 0; each < 120; each++) store.add('key', version(String(each), 'AWSCURRENT'))
  expect(store.versions('key').length).toBeLessThanOrEqual(101)
  expect(store.findByStage('key', 'mine')?.id).toBe('first')
  expect(store.findByStage('key', 'AWSPREVIOUS')?.id).toBe('118')
})

test('the first version is the current one, whatever labels it came with', () => {
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
const give = (value: string, isKept: boolean) => {
  const store = new SecretStore(file)
  fillSecrets(options(store), [], { key: value }, isKept)
  return store
}
const currentIn = (store: SecretStore) => store.findByStage('key', 'AWSCURRENT')
const onDisk = () => readFileSync(file, 'utf8')

test('a value that is given for one start is on no disk, and the next start that is given it knows it again', () => {
  expect(currentIn(give('first secret', false))?.secretString).toBe('first secret')
  expect(onDisk()).not.toContain('first secret')
  expect(currentIn(new SecretStore(file))).toMatchObject({ id: 'id-0', isGiven: true })
  expect(currentIn(new SecretStore(file))?.secretString).toBeUndefined()
  expect(currentIn(give('first secret', false))).toMatchObject({ id: 'id-0', secretString: 'first secret' })
  expect(onDisk()).not.toContain('first secret')
  expect(currentIn(give('second secret', false))).toMatchObject({ id: 'id-1', secretString: 'second secret' })
  expect(onDisk()).not.toMatch(/first secret|second secret/)
})

test('a value that an earlier start kept goes off the disk with the first that is not kept', () => {
  give('kept secret', true)
  expect(onDisk()).toContain('kept secret')
  expect(currentIn(give('kept secret', false))?.secretString).toBe('kept secret')
  expect(onDisk()).not.toContain('kept secret')
  give('other', true)
  give('again secret', false)
  expect(onDisk()).not.toMatch(/"other"|again secret/)
})

test('what a person has put since stays the current value, and stays on disk', () => {
  const store = give('given secret', false)
  store.add('key', { ...version('put', 'AWSCURRENT'), secretString: 'put secret' })
  expect(currentIn(give('given secret', false))).toMatchObject({ id: 'put', secretString: 'put secret' })
  expect(onDisk()).toContain('put secret')
  expect(onDisk()).not.toContain('given secret')
})

test('a value that is not kept is asked for in vain until it is given again', async () => {
  give('given secret', false)
  const { perform } = secretsEndpoint(options(new SecretStore(file)))
  await expect(perform('GetSecretValue', { SecretId: 'key' })).rejects.toMatchObject({ name: 'DecryptionFailure' })
  const again = secretsEndpoint(options(give('given secret', false)))
  expect(await again.perform('GetSecretValue', { SecretId: 'key' })).toMatchObject({ SecretString: 'given secret' })
})

test('a variant that writes a value that is not kept is caught', async () => {
  const source = 'packages/embedded-aws/secrets/secret-store.ts'
  const variant = await builtVariant<typeof product>(source, [
    edit(source, 'if (version.digest === undefined) return version', 'if (version.id !== "") return version'),
  ])
  fillSecrets(options(new variant.SecretStore(file)), [], { key: 'given secret' }, false)
  expect(onDisk()).toContain('given secret')
})
