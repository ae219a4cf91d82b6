// Tests keys for which a person vouches: when the question is asked, and when they are refused all the same.
import { rmSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createPinnedAccount } from '../../../../core/journal/pinned-account.ts'
import type { ServiceKey } from '../../../../core/keys/key-source.ts'
import { admitService } from '../../../../place/account/admit-service.ts'
import { accountDigest, findAccountPin } from '../../../../place/state/account-pin.ts'
import { makeKeptJournal } from '../../../helpers/kept-journal.ts'
import { manualClock } from '../../../helpers/manual-clock.ts'
import { admit, admitAt, dir, keys, liveKey, localhost, NOW, server, useAccounts } from './accounts.ts'

useAccounts()

describe('keys for which a person vouches', () => {
  const WORD = { by: 'ada', because: 'rotated in the dashboard', at: NOW }
  let asked: (readonly string[])[]
  let askedAddresses: (string | undefined)[]
  beforeEach(() => {
    asked = []
    askedAddresses = []
  })
  const adopt = (stateDir: string, ...ownKeys: ServiceKey[]) => adoptAt(server.baseUrl, stateDir, ...ownKeys)
  const adoptAt = (url: string, stateDir: string, ...ownKeys: ServiceKey[]) =>
    admitService(stateDir, { url, ownKeys }, manualClock(), async (prefixes, address) => {
      asked.push(prefixes)
      askedAddresses.push(address)
      return WORD
    })

  test('are known from then on, with the declaration; a key that names its account names the directory’s', async () => {
    await admit(dir, keys.mute)
    await expect(admit(dir, keys.muteToo)).rejects.toMatchObject({
      exitCode: 2,
      next: expect.arrayContaining([{ do: 'adopt-keys', at: { state: dir, service: 'URL', keys: 'FILE' } }]),
    })
    await adopt(dir, keys.muteToo)
    await admit(dir, keys.muteToo)
    expect(findAccountPin(dir)).not.toHaveProperty('account')
    await adopt(dir, keys.one)
    expect(asked).toEqual([[keys.muteToo.prefix], [keys.one.prefix]])
    expect(findAccountPin(dir)).toMatchObject({
      account: accountDigest('account-1'),
      keys: [keys.mute.prefix, keys.muteToo.prefix, keys.one.prefix],
      vouched: [
        { keys: [keys.muteToo.prefix], ...WORD },
        { keys: [keys.one.prefix], ...WORD },
      ],
    })
    await admit(dir, keys.oneToo)
    await expect(admit(dir, keys.two)).rejects.toThrow('another account')
    expect(findAccountPin(dir)?.vouched).toHaveLength(2)
  })

  test('may be unable to name their account in a directory that knows it', async () => {
    await admit(dir, keys.one)
    await expect(admit(dir, keys.mute)).rejects.toMatchObject({
      next: expect.arrayContaining([{ do: 'adopt-keys', at: { state: dir, service: 'URL', keys: 'FILE' } }]),
    })
    await adopt(dir, keys.mute)
    await admit(dir, keys.mute)
    await adopt(dir, keys.mute)
    expect(asked).toEqual([[keys.mute.prefix]])
  })

  test('are not requested and not accepted if they are known to be another account’s, or useless', async () => {
    await admit(dir, keys.one)
    const pinned = findAccountPin(dir)
    await expect(adopt(dir, keys.two)).rejects.toThrow('another account')
    await expect(adopt(dir, keys.one, keys.two)).rejects.toThrow('keys of account-1 and of account-2')
    await expect(adopt(dir, liveKey)).rejects.toThrow('these are live keys')
    await expect(adopt(dir, keys.revoked)).rejects.toMatchObject({ exitCode: 1 })
    await expect(adoptAt(localhost(), dir, keys.mute)).rejects.toThrow('nothing shows that it is the same service')
    await expect(adoptAt(localhost(), dir, liveKey)).rejects.toThrow('these are live keys')
    await expect(adoptAt(localhost(), dir, keys.two)).rejects.toThrow('another account')
    expect(asked).toEqual([])
    expect(findAccountPin(dir)).toEqual(pinned)
  })

  test('are accepted with a new address, if a key names the account of the directory', async () => {
    await admit(dir, keys.one)
    await expect(admitAt(localhost(), dir, keys.oneToo)).rejects.toMatchObject({
      exitCode: 2,
      next: expect.arrayContaining([{ do: 'adopt-keys', at: { state: dir, service: 'URL', keys: 'FILE' } }]),
    })
    await adoptAt(localhost(), dir, keys.oneToo)
    expect(asked).toEqual([[keys.oneToo.prefix]])
    expect(askedAddresses).toEqual([localhost()])
    await admitAt(localhost(), dir, keys.oneToo)
    expect(findAccountPin(dir)).toMatchObject({
      addresses: [server.baseUrl, localhost()],
      vouched: [{ keys: [keys.oneToo.prefix], address: localhost(), ...WORD }],
    })
  })

  test('are accepted with a new address, if a key names the account that only the journal knows', async () => {
    const { awsDir } = await admit(dir, keys.mute)
    await expect(adoptAt(localhost(), dir, keys.one)).rejects.toThrow('nothing shows that it is the same service')
    await makeKeptJournal(awsDir, (store) => createPinnedAccount(store, () => 'stamp').settle('account-1', 'test'))
    await expect(adoptAt(localhost(), dir, keys.two)).rejects.toThrow('another account')
    await adoptAt(localhost(), dir, keys.one)
    expect(await admitAt(localhost(), dir, keys.one)).toMatchObject({ awsDir })
    expect(asked).toEqual([[keys.one.prefix]])
  })

  test("are accepted without account.json, if each key names the journal's account, in its environment", async () => {
    const { awsDir } = await admit(dir, keys.one)
    rmSync(path.join(dir, 'account.json'))
    await expect(adopt(dir, keys.oneToo)).rejects.toThrow('account.json is missing')
    await makeKeptJournal(awsDir, (store) => createPinnedAccount(store, () => 'stamp').settle('account-1', 'test'))
    await expect(admit(dir, keys.oneToo)).rejects.toMatchObject({
      next: expect.arrayContaining([{ do: 'adopt-keys', at: { state: dir, service: 'URL', keys: 'FILE' } }]),
    })
    for (const [others, message] of [
      [[keys.two], 'these are keys of account account-2'],
      [[keys.mute], 'account.json is missing'],
      [[keys.one, keys.mute], 'may not read its account'],
      [[liveKey], 'these are live keys'],
    ] as const)
      await expect(adopt(dir, ...others)).rejects.toThrow(message)
    expect(asked).toEqual([])
    await adopt(dir, keys.oneToo)
    expect(await admit(dir, keys.oneToo)).toMatchObject({ awsDir, newSince: NOW })
    expect(findAccountPin(dir)).toMatchObject({
      account: accountDigest('account-1'),
      keys: [keys.oneToo.prefix],
      vouched: [{ keys: [keys.oneToo.prefix], address: server.baseUrl, ...WORD }],
    })
    expect(asked).toEqual([[keys.oneToo.prefix]])
  })

  test('are refused against the account that the journal itself names', async () => {
    const { awsDir } = await admit(dir, keys.mute)
    await makeKeptJournal(awsDir, async (store) => {
      await createPinnedAccount(store, () => 'stamp').settle('account-1', 'test')
    })
    await expect(adopt(dir, keys.two)).rejects.toThrow('these are keys of account account-2')
    expect(asked).toEqual([])
    await adopt(dir, keys.one)
    await admit(dir, keys.oneToo)
  })

  test('are refused if the person says no, and in a directory that keeps nothing', async () => {
    await expect(adopt(dir, keys.one)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('no records'),
    })
    await admit(dir, keys.mute)
    const no = admitService(dir, { url: server.baseUrl, ownKeys: [keys.one] }, manualClock(), () =>
      Promise.reject(new Error('declined')),
    )
    await expect(no).rejects.toThrow('declined')
    expect(findAccountPin(dir)).toMatchObject({ keys: [keys.mute.prefix] })
  })
})
