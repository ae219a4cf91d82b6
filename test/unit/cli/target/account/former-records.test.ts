// Records that are there already: of a directory of a former release, without account.json, or removed. None is lost.
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { serviceFolderName } from '../../../../../cli/target/service/service-address.ts'
import { accountDigest, findAccountPin } from '../../../../../cli/target/state/account-pin.ts'
import { folderAt } from '../../../../../cli/target/state/state-layout.ts'
import { createPinnedAccount } from '../../../../../core/journal/pinned-account.ts'
import { makeKeptJournal } from '../../../../helpers/kept-journal.ts'
import {
  dir,
  FORMER,
  former,
  keys,
  live,
  NOW,
  OTHER_SPELLING,
  sent,
  server,
  signed,
  use,
  useAccounts,
} from './accounts.ts'

useAccounts()

test('a directory of before, by another address, is taken over only with a key that signed there', async () => {
  const awsDir = former(FORMER, 'account-1')
  await sent(awsDir)
  await expect(use(dir, keys.one)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('--service') })
  await expect(use(dir, live)).rejects.toMatchObject({ exitCode: 2, message: expect.stringContaining('svc_live') })
  expect(findAccountPin(dir)).toBeUndefined()
  expect(await use(dir, signed)).toMatchObject({ awsDir })
})

test('a directory of before, by its own address, goes on with a key that is new', async () => {
  const awsDir = former(serviceFolderName(server.baseUrl), 'account-1')
  await sent(awsDir)
  expect(await use(dir, keys.one)).toMatchObject({ awsDir })
})

test('without its account.json a directory is known by the keys and the account of its journal, and is new once more', async () => {
  const { awsDir } = await use(dir, keys.one)
  await sent(awsDir)
  await makeKeptJournal(awsDir, (store) => createPinnedAccount(store, () => 'stamp').settle('account-1', 'svc_test'))
  rmSync(path.join(dir, 'account.json'))
  for (const other of [keys.mute, keys.two, keys.one, live]) {
    await expect(use(dir, other)).rejects.toMatchObject({ exitCode: 2, code: 'keys' })
  }
  expect(findAccountPin(dir)).toBeUndefined()
  expect(await use(dir, signed)).toMatchObject({ awsDir, newSince: NOW })
  expect(findAccountPin(dir)).toMatchObject({ account: accountDigest('account-1'), keys: [signed.prefix] })
  await use(dir, keys.one)
})

test('without its account.json a directory of a key that may not read its account goes on with that key alone', async () => {
  const { awsDir } = await use(dir, signed)
  await sent(awsDir)
  rmSync(path.join(dir, 'account.json'))
  for (const other of [keys.mute, keys.one]) {
    await expect(use(dir, other)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(signed.prefix),
    })
  }
  expect(await use(dir, signed)).toMatchObject({ awsDir, newSince: NOW })
})

test('a directory whose records were removed is new once more', async () => {
  const { newSince: _born, ...folder } = await use(dir, keys.one)
  const pin = findAccountPin(dir)
  const tables = path.join(folder.awsDir, 'dynamodb')
  for (const removed of [tables, path.join(dir, 'service')]) {
    mkdirSync(tables, { recursive: true })
    writeFileSync(path.join(dir, 'account.json'), JSON.stringify({ ...pin, newSince: undefined }))
    expect(await use(dir, keys.one)).toEqual(folder)
    rmSync(removed, { recursive: true })
    expect(await use(dir, keys.one)).toEqual({ ...folder, newSince: NOW })
  }
})

test('a directory of before goes on with its records, by whatever address, and is not new', async () => {
  const awsDir = former(FORMER, 'account-1')
  expect(await use(dir, keys.one)).toEqual({ awsDir, sandboxFile: expect.any(String) })
  expect(await use(dir, keys.oneToo)).toMatchObject({ awsDir })
})

test('a directory of before is refused to another account', async () => {
  former(FORMER, 'account-1')
  await expect(use(dir, keys.two)).rejects.toMatchObject({ exitCode: 2, code: 'keys' })
  expect(existsSync(path.join(dir, 'account.json'))).toBe(false)
})

test('of two accounts in a directory of before the first that is used is pinned, the other is told how to part', async () => {
  former(FORMER, 'account-1')
  former(OTHER_SPELLING, 'account-2')
  await use(dir, keys.two)
  await expect(use(dir, keys.one)).rejects.toMatchObject({
    exitCode: 2,
    next: expect.stringContaining(`mv ${path.join(dir, FORMER)} OTHER/`),
  })
})

test('two journals of one account are refused by name; parted, each looks for ids that it does not know', async () => {
  former(FORMER, 'account-1')
  former(OTHER_SPELLING, 'account-1')
  const refusal = { exitCode: 2, message: expect.stringContaining(`${path.join(dir, FORMER)}, ${dir}`) }
  await expect(use(dir, keys.one)).rejects.toMatchObject(refusal)
  await expect(use(dir, keys.one)).rejects.toMatchObject(refusal)
  const other = path.join(dir, 'other')
  mkdirSync(other)
  renameSync(path.join(dir, OTHER_SPELLING), path.join(other, OTHER_SPELLING))
  for (const [stateDir, name] of [
    [dir, FORMER],
    [other, OTHER_SPELLING],
  ] as const) {
    expect(await use(stateDir, keys.one)).toMatchObject({
      awsDir: folderAt(stateDir, name).awsDir,
      newSince: NOW,
    })
  }
})

test('an older Sluice that made a second journal since is noticed', async () => {
  await use(dir, keys.one)
  former(FORMER, 'account-1')
  await expect(use(dir, keys.one)).rejects.toMatchObject({ exitCode: 2, code: 'state_unusable' })
})

test('records of before whose account nobody knows are those of the key that signed them', async () => {
  const awsDir = former(FORMER)
  await sent(awsDir)
  await expect(use(dir, keys.one)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining(signed.prefix),
  })
  expect(await use(dir, signed)).toMatchObject({ awsDir })
})

test('records of before from which nothing was ever sent are anybody’s', async () => {
  const awsDir = former(FORMER)
  await makeKeptJournal(awsDir, async () => undefined)
  expect(await use(dir, keys.one)).toMatchObject({ awsDir })
})
