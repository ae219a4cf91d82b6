// Tests that a state directory pins the account at its first use, and compares the account at each later use.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { admitService } from '../../../../place/account/admit-service.ts'
import { accountDigest, findAccountPin } from '../../../../place/state/account-pin.ts'
import { folderAt } from '../../../../place/state/state-layout.ts'
import { manualClock } from '../../../helpers/manual-clock.ts'
import {
  admit,
  admitAt,
  dir,
  keys,
  liveKey,
  localhost,
  NOW,
  otherService,
  otherServiceKey,
  server,
  useAccounts,
} from './accounts.ts'

useAccounts()

test('the built-in sandbox is an account of its own, and needs no request', async () => {
  expect(await admitService(dir, undefined, manualClock())).toEqual(folderAt(dir, 'built-in'))
  expect(readdirSync(dir)).toEqual([])
})

test('a new directory has its account from the first use on, and is new since then in service time', async () => {
  const first = await admit(dir, keys.one)
  expect(first).toMatchObject({ awsDir: path.join(dir, 'service', 'aws'), newSince: NOW })
  expect(await admit(dir, keys.oneToo)).toEqual(first)
  expect(findAccountPin(dir)).toMatchObject({
    account: accountDigest('account-1'),
    keys: [keys.one.prefix, keys.oneToo.prefix],
  })
  expect(readFileSync(path.join(dir, 'account.json'), 'utf8')).not.toContain(keys.one.secret)
})

test('another account is refused by its id, with exit 2', async () => {
  await admit(dir, keys.one)
  await expect(admit(dir, keys.two)).rejects.toMatchObject({
    exitCode: 2,
    message: `keys: these are keys of account account-2, and ${dir} keeps the records of another account; nothing was sent`,
  })
  await admit(dir, keys.one)
})

test('a key of the other environment has another account, whatever its id', async () => {
  await admit(dir, keys.one)
  await expect(admit(dir, liveKey)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/these are live keys, and .* of an account of test keys/),
  })
  await expect(admitAt(localhost(), dir, liveKey)).rejects.toMatchObject({ exitCode: 2 })
  expect(findAccountPin(dir)).toMatchObject({ keys: [keys.one.prefix] })
})

test('another service with the same account id is refused, even beside a key that it does not know', async () => {
  await admit(dir, keys.one)
  const pinned = findAccountPin(dir)
  const refusal = {
    exitCode: 2,
    next: expect.arrayContaining([expect.stringContaining('a known key at the new address')]),
  }
  await expect(admitAt(otherService.baseUrl, dir, otherServiceKey)).rejects.toMatchObject(refusal)
  await expect(admitAt(otherService.baseUrl, dir, otherServiceKey, keys.one)).rejects.toMatchObject(refusal)
  expect(findAccountPin(dir)).toEqual(pinned)
})

test('a known key proves that a new address leads to the same service, and from then on others may use it', async () => {
  await admit(dir, keys.one)
  await expect(admitAt(localhost(), dir, keys.oneToo)).rejects.toMatchObject({ exitCode: 2 })
  await admitAt(localhost(), dir, keys.one)
  await admitAt(localhost(), dir, keys.oneToo)
  expect(findAccountPin(dir)).toMatchObject({ addresses: [server.baseUrl, localhost()] })
})

test('a known key that may not read its account proves it too', async () => {
  await admit(dir, keys.mute)
  await admitAt(localhost(), dir, keys.mute)
  expect(findAccountPin(dir)).toMatchObject({ addresses: [server.baseUrl, localhost()] })
})

test('keys of two accounts are refused together, and nothing is pinned', async () => {
  await expect(admit(dir, keys.one, keys.two)).rejects.toThrow('got keys of account-1 and of account-2')
  expect(readdirSync(dir)).toEqual([])
})

test('a key that may not read its account is known by its prefix; another one is refused with the scope', async () => {
  await admit(dir, keys.mute)
  const pinned = findAccountPin(dir)
  expect(pinned).toMatchObject({ keys: [keys.mute.prefix] })
  expect(pinned).not.toHaveProperty('account')
  await admit(dir, keys.mute)
  await expect(admit(dir, keys.muteToo)).rejects.toMatchObject({
    exitCode: 2,
    next: expect.arrayContaining([expect.objectContaining({ do: 'adopt-keys' })]),
  })
  await expect(admit(dir, keys.one)).rejects.toMatchObject({ exitCode: 2 })
  // Beside it, the known key names the account.
  await admit(dir, keys.mute, keys.one)
  await expect(admit(dir, keys.muteToo)).rejects.toMatchObject({
    exitCode: 2,
    next: expect.arrayContaining([expect.stringContaining('accounts:read')]),
  })
  await expect(admit(dir, keys.two)).rejects.toThrow('another account')
})

test('at the first use a key that may not read its account does not count for the account of the key beside it', async () => {
  const refusal = { exitCode: 2, message: expect.stringContaining(keys.mute.prefix) }
  await expect(admit(dir, keys.mute, keys.one)).rejects.toMatchObject(refusal)
  await expect(admit(dir, keys.one, keys.mute)).rejects.toMatchObject(refusal)
  await expect(admit(dir, keys.mute, keys.muteToo)).rejects.toMatchObject(refusal)
  expect(readdirSync(dir)).toEqual([])
})

test('a key that is itself refused pins nothing, and may be one that was used before', async () => {
  await expect(admit(dir, keys.revoked)).rejects.toMatchObject({ exitCode: 1, code: 'refused' })
  expect(readdirSync(dir)).toEqual([])
})

test.each([
  ['is cut off', (text: string) => text.slice(0, 12)],
  ['names no address', (text: string) => JSON.stringify({ ...JSON.parse(text), addresses: undefined })],
  ['does not say since when', (text: string) => JSON.stringify({ ...JSON.parse(text), newSince: undefined })],
])('an account.json that %s needs a person', async (_what, damaged) => {
  await admit(dir, keys.one)
  const file = path.join(dir, 'account.json')
  writeFileSync(file, damaged(readFileSync(file, 'utf8')))
  await expect(admit(dir, keys.one)).rejects.toMatchObject({
    exitCode: 3,
    code: 'state_unusable',
    message: expect.stringContaining(`${file} is damaged`),
  })
})

test('records without their account.json are refused to every key, and no key writes their account', async () => {
  await admit(dir, keys.one)
  rmSync(path.join(dir, 'account.json'))
  for (const key of [keys.one, keys.oneToo, keys.two, keys.mute, liveKey]) {
    await expect(admit(dir, key)).rejects.toMatchObject({
      exitCode: 3,
      code: 'state_unusable',
      message: `${path.join(dir, 'account.json')} is missing, so whose records ${dir} keeps is not known; this command has sent nothing`,
      next: expect.arrayContaining([expect.stringContaining('put it back from a copy')]),
    })
  }
  expect(findAccountPin(dir)).toBeUndefined()
})

test('a directory whose records were removed is new again', async () => {
  const { newSince: _born, ...folder } = await admit(dir, keys.one)
  const pin = findAccountPin(dir)
  const tables = path.join(folder.awsDir, 'dynamodb')
  const before = '2026-01-01T00:00:00.000Z'
  for (const removed of [tables, path.join(dir, 'service')]) {
    mkdirSync(tables, { recursive: true })
    writeFileSync(path.join(dir, 'account.json'), JSON.stringify({ ...pin, newSince: before }))
    expect(await admit(dir, keys.one)).toEqual({ ...folder, newSince: before })
    rmSync(removed, { recursive: true })
    expect(await admit(dir, keys.one)).toEqual({ ...folder, newSince: NOW })
  }
})
