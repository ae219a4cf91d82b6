// The account of the present key: read once for each key, and never attributed to a replaced key.
import { expect, test } from 'vitest'
import type { ServiceKey } from '../../../core/keys/key-source.ts'
import { createKeyAccount } from '../../../core/service/account.ts'
import { errorOf } from '../../../core/service/problem.ts'
import type { Reader } from '../../../core/service/reader.ts'
import { makeKey } from '../../helpers/service-keys.ts'

const [first, second] = [makeKey('First7Secret').key, makeKey('Second7Secret').key]
const scopeMissing = errorOf('KeyFault', {
  ...{ code: 'insufficient_scope', status: 403, isDocument: true, retryable: false, text: '' },
} as never)

/** `answers`: the service's answer for each key. `onRead`: runs during the read. */
function asked(answers: (key: ServiceKey) => string | Error, onRead: () => void = () => undefined) {
  const world = { key: first, reads: 0 }
  const source = { current: async () => world.key, forget: () => undefined }
  const read = async () => {
    world.reads += 1
    const answer = answers(world.key)
    onRead.call(world)
    if (answer instanceof Error) throw answer
    return { id: answer }
  }
  return { world, reads: createKeyAccount(source as never, { read } as unknown as Reader) }
}

test('the account of each key is read once', async () => {
  const { world, reads } = asked((key) => (key === first ? 'account-1' : 'account-2'))
  expect([await reads.accountOfKey(), await reads.accountOfKey()]).toEqual(['account-1', 'account-1'])
  world.key = second
  expect(await reads.accountOfKey()).toBe('account-2')
  expect(await reads.keyInUse()).toBe(second.prefix)
  expect(world.reads).toBe(2)
})

test('a key that may not read its account has no known account, and is not read again', async () => {
  const { world, reads } = asked(() => scopeMissing)
  expect([await reads.accountOfKey(), await reads.accountOfKey()]).toEqual([undefined, undefined])
  expect(world.reads).toBe(1)
})

test('a missing answer says nothing of the key, and the account is read again', async () => {
  let answer: string | Error = new Error('503')
  const { reads } = asked(() => answer)
  await expect(reads.accountOfKey()).rejects.toThrow('503')
  answer = 'account-1'
  expect(await reads.accountOfKey()).toBe('account-1')
})

test('an answer during which the key was replaced belongs to neither key', async () => {
  const { world, reads } = asked(
    () => 'account-1',
    () => {
      world.key = second
    },
  )
  await expect(reads.accountOfKey()).rejects.toThrow('the key was replaced while its account was read')
})
