// A seal proves that a record is unchanged, also after one change of its key.
import { expect, test } from 'vitest'
import { Refused, Transient } from '../../../core/errors.ts'
import { ServiceKey, staticKeySource } from '../../../core/keys/key-source.ts'
import { createSeals } from '../../../core/keys/record-seals.ts'

const keyOf = (letter: string) => new ServiceKey(`svc_test_${letter.repeat(38)}`, undefined)
const [first, second, third] = ['a', 'b', 'c'].map(keyOf) as [ServiceKey, ServiceKey, ServiceKey]
const none = { current: () => Promise.reject(new Refused('no such version')), forget: () => undefined }

function sealsOf(present: ServiceKey, former?: ServiceKey, about = 'table') {
  return createSeals({
    present: staticKeySource(present),
    former: former === undefined ? none : staticKeySource(former),
    about,
  })
}

test('a seal fits its text, and no other text, key, code or table', async () => {
  const seals = sealsOf(first)
  const seal = await seals.make('text')
  expect(await seals.isOwn('text', seal)).toBe(true)
  expect(await seals.isOwn('another', seal)).toBe(false)
  expect(await seals.isOwn('text', { ...seal, by: second.prefix })).toBe(false)
  expect(await seals.isOwn('text', { ...seal, code: '' })).toBe(false)
  expect(await sealsOf(second).isOwn('text', { ...seal, by: second.prefix })).toBe(false)
  expect(await sealsOf(first, undefined, 'another').isOwn('text', seal)).toBe(false)
})

test('a seal still fits after its key was replaced once, and not after twice', async () => {
  const seal = await sealsOf(first).make('text')
  expect(await sealsOf(second, first).isOwn('text', seal)).toBe(true)
  expect(await sealsOf(third, second).isOwn('text', seal)).toBe(false)
})

test('a replaced key that cannot be read now is no answer', async () => {
  const former = { current: () => Promise.reject(new Transient('later')), forget: () => undefined }
  const seals = createSeals({ present: staticKeySource(second), former, about: 'table' })
  await expect(seals.isOwn('text', await sealsOf(first).make('text'))).rejects.toThrow('later')
})

test('a seal shows the public prefix of the key, and nothing else of it', async () => {
  const seal = await sealsOf(first).make('text')
  expect(seal).toEqual({ by: first.prefix, code: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/) })
  expect(JSON.stringify(seal)).not.toContain(first.secret)
})
