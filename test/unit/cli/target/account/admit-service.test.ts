// The account that a state directory is known by: pinned at first use, and compared at each later one.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { admitService } from '../../../../../cli/target/account/admit-service.ts'
import { accountDigest, findAccountPin } from '../../../../../cli/target/state/account-pin.ts'
import { folderAt } from '../../../../../cli/target/state/state-layout.ts'
import { makeKeptJournal } from '../../../../helpers/kept-journal.ts'
import { manualClock } from '../../../../helpers/manual-clock.ts'
import {
  dir,
  FORMER,
  foreign,
  former,
  keys,
  live,
  localhost,
  NOW,
  otherService,
  sent,
  server,
  signed,
  use,
  useAccounts,
  useAt,
} from './accounts.ts'

useAccounts()

test('the built-in sandbox is an account of its own, and asks nobody', async () => {
  expect(await admitService(dir, undefined, manualClock())).toEqual(folderAt(dir, 'built-in'))
  expect(readdirSync(dir)).toEqual([])
})

test('a new directory is known by its account from the first use on, and is new since then in service time', async () => {
  const first = await use(dir, keys.one)
  expect(first).toMatchObject({ awsDir: path.join(dir, 'service', 'aws'), newSince: NOW })
  expect(await use(dir, keys.oneToo)).toEqual(first)
  expect(findAccountPin(dir)).toMatchObject({
    account: accountDigest('account-1'),
    keys: [keys.one.prefix, keys.oneToo.prefix],
  })
  expect(readFileSync(path.join(dir, 'account.json'), 'utf8')).not.toContain(keys.one.secret)
})

test('another account is refused by its id, with exit 2', async () => {
  await use(dir, keys.one)
  await expect(use(dir, keys.two)).rejects.toMatchObject({
    exitCode: 2,
    message: `--keys: these are keys of account account-2, and ${dir} keeps the records of another one; nothing was sent`,
  })
  await use(dir, keys.one)
})

test('a key of the other environment is another account’s, whatever its id', async () => {
  await use(dir, keys.one)
  await expect(use(dir, live)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/these are svc_live keys, and .* of an account of svc_test keys/),
  })
  await expect(useAt(localhost(), dir, live)).rejects.toMatchObject({ exitCode: 2 })
  expect(findAccountPin(dir)).toMatchObject({ keys: [keys.one.prefix] })
})

test('another service with the same id of an account is refused, also with a key beside that it does not know', async () => {
  await use(dir, keys.one)
  const pinned = findAccountPin(dir)
  const refusal = { exitCode: 2, next: expect.stringContaining('a known key at the new address') }
  await expect(useAt(otherService.baseUrl, dir, foreign)).rejects.toMatchObject(refusal)
  await expect(useAt(otherService.baseUrl, dir, foreign, keys.one)).rejects.toMatchObject(refusal)
  expect(findAccountPin(dir)).toEqual(pinned)
})

test('a known key shows that a new address leads to the same service, and from then on others may use it', async () => {
  await use(dir, keys.one)
  await expect(useAt(localhost(), dir, keys.oneToo)).rejects.toMatchObject({ exitCode: 2 })
  await useAt(localhost(), dir, keys.one)
  await useAt(localhost(), dir, keys.oneToo)
  expect(findAccountPin(dir)).toMatchObject({ addresses: [server.baseUrl, localhost()] })
})

test('a known key that may not read its account shows it too', async () => {
  await use(dir, keys.mute)
  await useAt(localhost(), dir, keys.mute)
  expect(findAccountPin(dir)).toMatchObject({ addresses: [server.baseUrl, localhost()] })
})

test('a pin of before notes the first address that it is used by', async () => {
  await use(dir, keys.one)
  const pin = findAccountPin(dir)
  writeFileSync(path.join(dir, 'account.json'), JSON.stringify({ ...pin, addresses: undefined }))
  await use(dir, keys.oneToo)
  await expect(useAt(otherService.baseUrl, dir, foreign)).rejects.toMatchObject({ exitCode: 2 })
})

test('keys of two accounts are refused together, and nothing is pinned', async () => {
  await expect(use(dir, keys.one, keys.two)).rejects.toThrow('got keys of account-1 and of account-2')
  expect(readdirSync(dir)).toEqual([])
})

test('a key that may not read its account is known by its prefix; another such key is refused with the scope', async () => {
  await use(dir, keys.mute)
  const pinned = findAccountPin(dir)
  expect(pinned).toMatchObject({ keys: [keys.mute.prefix] })
  expect(pinned).not.toHaveProperty('account')
  await use(dir, keys.mute)
  await expect(use(dir, keys.muteToo)).rejects.toMatchObject({
    exitCode: 2,
    next: expect.stringContaining('keys adopt'),
  })
  await expect(use(dir, keys.one)).rejects.toMatchObject({ exitCode: 2 })
  // Beside the known one it says which account that is.
  await use(dir, keys.mute, keys.one)
  await expect(use(dir, keys.muteToo)).rejects.toMatchObject({
    exitCode: 2,
    next: expect.stringContaining('accounts:read'),
  })
  await expect(use(dir, keys.two)).rejects.toThrow('another one')
})

test('at the first use a key that may not read its account is not taken for one of the account beside it', async () => {
  const refusal = { exitCode: 2, message: expect.stringContaining(keys.mute.prefix) }
  await expect(use(dir, keys.mute, keys.one)).rejects.toMatchObject(refusal)
  await expect(use(dir, keys.one, keys.mute)).rejects.toMatchObject(refusal)
  await expect(use(dir, keys.mute, keys.muteToo)).rejects.toMatchObject(refusal)
  expect(readdirSync(dir)).toEqual([])
  // Nor beside records of before.
  const awsDir = former(FORMER)
  await makeKeptJournal(awsDir, async () => undefined)
  await expect(use(dir, keys.one, keys.mute)).rejects.toMatchObject(refusal)
  await expect(use(dir, keys.mute, keys.muteToo)).rejects.toMatchObject(refusal)
  await sent(awsDir)
  await expect(use(dir, signed, keys.mute)).rejects.toMatchObject(refusal)
  expect(findAccountPin(dir)).toBeUndefined()
})

test('a key that is refused for itself pins nothing, and may be one that was used before', async () => {
  await expect(use(dir, keys.revoked)).rejects.toMatchObject({ exitCode: 1, code: 'refused' })
  expect(readdirSync(dir)).toEqual([])
})

test('a damaged pin needs a person', async () => {
  await use(dir, keys.one)
  writeFileSync(path.join(dir, 'account.json'), '{"account":')
  await expect(use(dir, keys.one)).rejects.toMatchObject({ exitCode: 3, code: 'state_unusable' })
})
