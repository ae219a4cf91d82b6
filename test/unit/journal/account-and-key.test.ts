// Tests the key that may prove an outcome: the account that is pinned in the journal, and the key that signed.
import { beforeEach, describe, expect, test } from 'vitest'
import { KeyFault, Transient } from '../../../core/errors.ts'
import { accountOfSigner, assertOwnAccount, readWithOwnKey, type Signer } from '../../../core/journal/own-key.ts'
import { createPinnedAccount, type PinnedAccount } from '../../../core/journal/pinned-account.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'

describe('the account of a journal', () => {
  let store: MemoryStore
  beforeEach(() => {
    store = createMemoryStore()
  })
  const pinned = (): PinnedAccount => createPinnedAccount(store, () => 'stamp')

  test('is that of the first key that may read it, for every process from then on', async () => {
    expect(await pinned().settle('account-1', 'test')).toEqual({ account: 'account-1', stage: 'test' })
    expect(store.records.get('A#account')).toMatchObject({ account: 'account-1' })
    expect(await pinned().settle('account-1', 'test')).toEqual({ account: 'account-1', stage: 'test' })
  })

  test('stays when a later key has another: the error names both accounts', async () => {
    await pinned().settle('account-1', 'test')
    await expect(pinned().settle('account-2', 'test')).rejects.toThrow(KeyFault)
    await expect(pinned().settle('account-2', 'test')).rejects.toThrow(
      /is of account account-2 .* journal is of account account-1/,
    )
    expect(store.records.get('A#account')).toMatchObject({ account: 'account-1' })
  })

  test('that two processes pin first is that of one, and the other learns it', async () => {
    const settled = await Promise.allSettled([
      pinned().settle('account-1', 'test'),
      pinned().settle('account-2', 'test'),
    ])
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  })

  test('is unknown while no key may read it, and nothing is written', async () => {
    expect(await pinned().settle(undefined, 'test')).toBeUndefined()
    expect(store.records.size).toBe(0)
  })
})

describe('a read of movements', () => {
  const keys = { kid: 'key-1', account: undefined as string | undefined }
  let forgotten = 0
  beforeEach(() => {
    Object.assign(keys, { kid: 'key-1', account: undefined })
    forgotten = 0
  })
  const service = {
    keyInUse: async () => keys.kid,
    accountOfKey: async () => keys.account,
    forgetKeys: () => {
      forgotten += 1
    },
  }
  const signed: Signer = { kid: 'key-1', account: 'account-1' }
  const look = (by: Signer = signed, seeing = async () => 'seen') => readWithOwnKey(by, service, seeing)

  test('with the key that signed is proof, even if that key may not read its account', async () => {
    expect(await look()).toBe('seen')
  })

  test('with another key is proof if the service says that it has the frozen account', async () => {
    Object.assign(keys, { kid: 'key-2', account: 'account-1' })
    expect(await look()).toBe('seen')
  })

  test.each<[string, string | undefined, Signer]>([
    ['of another account', 'account-2', signed],
    ['that may not read its account', undefined, signed],
    ['if no account was frozen', 'account-1', { kid: 'key-1', account: undefined }],
    ['where neither account is known', undefined, { kid: 'key-1', account: undefined }],
  ])('with another key, %s, is refused, because it would prove nothing', async (_, account, by) => {
    Object.assign(keys, { kid: 'key-2', account })
    let looks = 0
    const seeing = async () => `look ${++looks}`
    await expect(look(by, seeing)).rejects.toThrow(KeyFault)
    expect(looks).toBe(0)
    // The right key may have replaced it.
    expect(forgotten).toBe(1)
  })

  test('during which the key was replaced proves nothing', async () => {
    const seeing = async () => {
      keys.kid = 'key-2'
      return 'seen'
    }
    await expect(look(signed, seeing)).rejects.toThrow('the key was replaced while the service was looked at')
  })

  test('with a key of the other environment proves nothing, although its account has the same id', async () => {
    Object.assign(keys, { kid: 'svc_live_0123456789ab', account: 'account-1' })
    const test = { kid: 'svc_test_0123456789ab', account: 'account-1' }
    await expect(look(test)).rejects.toThrow('of account account-1 (live), not of account account-1 (test)')
    await expect(assertOwnAccount('account-1', test.kid, service)).rejects.toThrow('the key in use is a live key')
  })

  test('of a settled movement is refused only to a key of another account', async () => {
    keys.account = 'account-2'
    await expect(assertOwnAccount('account-1', 'key-1', service)).rejects.toThrow(
      /is of account account-2 .* of account account-1/,
    )
    keys.account = 'account-1'
    await expect(assertOwnAccount('account-1', 'key-1', service)).resolves.toBe('account-1')
  })

  test('a request that another key has signed meanwhile is not sent', async () => {
    Object.assign(keys, { kid: 'key-2', account: 'account-1' })
    const frozen = { account: 'account-1' }
    await expect(accountOfSigner(frozen, 'key-1', service)).rejects.toThrow(Transient)
    await expect(accountOfSigner(frozen, 'key-2', service)).resolves.toBe('account-1')
  })

  test('a request that a key of the other stage has signed is not sent, although its account has the same id', async () => {
    const live = 'svc_live_0123456789ab'
    Object.assign(keys, { kid: live, account: 'account-1' })
    const frozen = { account: 'account-1', stage: 'test' }
    await expect(accountOfSigner(frozen, live, service)).rejects.toThrow(
      'the key svc_live_0123456789ab is a live key, and this intent is of a test account',
    )
    await expect(accountOfSigner({ ...frozen, stage: 'live' }, live, service)).resolves.toBe('account-1')
  })
})
