import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { isDraft } from '../../disk.ts'
import { SecretStore } from '../../secrets/secret-store.ts'

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
