// The account that a state directory is known by: pinned at first use, compared at each later one, and taken over from
// directories of before without losing a record.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { admitService } from '../../../../../cli/target/account/admit-service.ts'
import { serviceFolderName } from '../../../../../cli/target/service/service-address.ts'
import { accountDigest, findAccountPin } from '../../../../../cli/target/state/account-pin.ts'
import { folderAt } from '../../../../../cli/target/state/state-layout.ts'
import { createJournal } from '../../../../../core/journal/journal.ts'
import { createPinnedAccount } from '../../../../../core/journal/pinned-account.ts'
import type { ServiceKey } from '../../../../../core/keys/key-source.ts'
import { armed, CONVERSION } from '../../../../helpers/intents.ts'
import { makeKeptJournal } from '../../../../helpers/kept-journal.ts'
import {
  type Arrived,
  answerJson,
  answerProblem,
  type LocalServer,
  startLocalServer,
} from '../../../../helpers/local-server.ts'
import { manualClock } from '../../../../helpers/manual-clock.ts'
import { makeKey } from '../../../../helpers/service-keys.ts'

const names = ['one', 'oneToo', 'two', 'mute', 'muteToo', 'revoked'] as const
const keys = Object.fromEntries(
  names.map((name) => [name, makeKey(name.padEnd(12, 'x').padEnd(38, '0')).key]),
) as Record<(typeof names)[number], ServiceKey>
/** As `armed` signs. */
const signed = makeKey('0123456789ab').key
/** Of another service, or of the other environment; their account's id is the same as one here. */
const foreign = makeKey('foreign').key
const live = makeKey('live', 'EdDSA', 'live').key
const ACCOUNTS: ReadonlyMap<string, string> = new Map([
  [keys.one.secret, 'account-1'],
  [keys.oneToo.secret, 'account-1'],
  [keys.two.secret, 'account-2'],
  [live.secret, 'account-1'],
])

/** Service time. */
const NOW = '2026-03-01T09:00:00.000Z'
let server: LocalServer
/** Another service, that gives out the same ids of accounts, and knows other keys. */
let otherService: LocalServer
beforeAll(async () => {
  server = await startLocalServer((request, response) => {
    const secret = answerTime(request, response)
    if (secret === undefined) return
    const id = ACCOUNTS.get(secret)
    if (secret === keys.revoked.secret) return answerProblem(response, 401, 'key_revoked')
    if (id === undefined) return answerProblem(response, 403, 'insufficient_scope')
    return answerAccount(response, id)
  })
  otherService = await startLocalServer((request, response) => {
    const secret = answerTime(request, response)
    if (secret === undefined) return
    if (secret !== foreign.secret) return answerProblem(response, 401, 'unauthorized')
    return answerAccount(response, 'account-1')
  })
})
afterAll(() => Promise.all([server.stop(), otherService.stop()]))

/** Its time; of another question the secret that came with it. */
function answerTime({ target, headers }: Arrived, response: ServerResponse): string | undefined {
  response.setHeader('date', new Date(NOW).toUTCString())
  if (target === '/v2/time') return void answerJson(response, 200, { time: NOW })
  return headers.authorization?.replace('Bearer ', '') ?? ''
}

function answerAccount(response: ServerResponse, id: string): void {
  const person = { username: 'u', email: 'e', fullName: 'f', nationalId: null }
  answerJson(response, 200, { id, ...person, verificationStatus: 'V', preferredCurrency: 'EUR' })
}

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-account-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** As the first boot of a folder does. */
function use(stateDir: string, ...ownKeys: ServiceKey[]) {
  return useAt(server.baseUrl, stateDir, ...ownKeys)
}

async function useAt(url: string, stateDir: string, ...ownKeys: ServiceKey[]) {
  const folder = await admitService(stateDir, { url, ownKeys }, manualClock())
  mkdirSync(folder.awsDir, { recursive: true })
  return folder
}

const FORMER = serviceFolderName('http://127.0.0.1:8080')
const OTHER_SPELLING = serviceFolderName('http://localhost:8080')

/** A folder of before, with the digest of its account where that was known. */
function former(name: string, accountId?: string): string {
  const { awsDir } = folderAt(dir, name)
  mkdirSync(awsDir, { recursive: true })
  if (accountId !== undefined) writeFileSync(path.join(dir, name, 'account'), accountDigest(accountId))
  return awsDir
}

/** Something was sent, with the key `signed`. */
function sent(awsDir: string): Promise<void> {
  return makeKeptJournal(awsDir, async (store) => {
    const journal = createJournal(store, () => 'stamp')
    const times = { createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' }
    const opened = await journal.open({ ...CONVERSION, intentId: 'i', ...times })
    await journal.advance(opened, armed(opened, 'order-1'))
  })
}

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

/** The same service under another address. */
const localhost = () => server.baseUrl.replace('127.0.0.1', 'localhost')

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

test('a key that is refused for itself pins nothing, and may be one that was used before', async () => {
  await expect(use(dir, keys.revoked)).rejects.toMatchObject({ exitCode: 1, code: 'refused' })
  expect(readdirSync(dir)).toEqual([])
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

test('a damaged pin needs a person', async () => {
  await use(dir, keys.one)
  writeFileSync(path.join(dir, 'account.json'), '{"account":')
  await expect(use(dir, keys.one)).rejects.toMatchObject({ exitCode: 3, code: 'state_unusable' })
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

describe('keys that a person vouches for', () => {
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

  test('are known from then on, with the word; a key that names its account names the directory’s', async () => {
    await use(dir, keys.mute)
    await expect(use(dir, keys.muteToo)).rejects.toMatchObject({
      exitCode: 2,
      next: expect.stringContaining(`keys adopt --because TEXT --state ${dir} --service URL --keys FILE`),
    })
    await adopt(dir, keys.muteToo)
    await use(dir, keys.muteToo)
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
    await use(dir, keys.oneToo)
    await expect(use(dir, keys.two)).rejects.toThrow('another one')
    expect(findAccountPin(dir)?.vouched).toHaveLength(2)
  })

  test('may be silent in a directory that knows its account', async () => {
    await use(dir, keys.one)
    await expect(use(dir, keys.mute)).rejects.toMatchObject({ next: expect.stringContaining('keys adopt') })
    await adopt(dir, keys.mute)
    await use(dir, keys.mute)
    await adopt(dir, keys.mute)
    expect(asked).toEqual([[keys.mute.prefix]])
  })

  test('are not asked for, nor taken, where they are known to be another account’s, or of no use', async () => {
    await use(dir, keys.one)
    const pinned = findAccountPin(dir)
    await expect(adopt(dir, keys.two)).rejects.toThrow('another one')
    await expect(adopt(dir, keys.one, keys.two)).rejects.toThrow('keys of account-1 and of account-2')
    await expect(adopt(dir, live)).rejects.toThrow('these are svc_live keys')
    await expect(adopt(dir, keys.revoked)).rejects.toMatchObject({ exitCode: 1 })
    await expect(adoptAt(localhost(), dir, keys.mute)).rejects.toThrow('nothing shows that it is the same service')
    await expect(adoptAt(localhost(), dir, live)).rejects.toThrow('these are svc_live keys')
    await expect(adoptAt(localhost(), dir, keys.two)).rejects.toThrow('another one')
    expect(asked).toEqual([])
    expect(findAccountPin(dir)).toEqual(pinned)
  })

  test('are taken with an address that is new too, where a key names the account of the directory', async () => {
    await use(dir, keys.one)
    await expect(useAt(localhost(), dir, keys.oneToo)).rejects.toMatchObject({
      exitCode: 2,
      next: expect.stringContaining(`keys adopt --because TEXT --state ${dir} --service URL --keys FILE`),
    })
    await adoptAt(localhost(), dir, keys.oneToo)
    expect(asked).toEqual([[keys.oneToo.prefix]])
    expect(askedAddresses).toEqual([localhost()])
    await useAt(localhost(), dir, keys.oneToo)
    expect(findAccountPin(dir)).toMatchObject({
      addresses: [server.baseUrl, localhost()],
      vouched: [{ keys: [keys.oneToo.prefix], address: localhost(), ...WORD }],
    })
  })

  test('are taken with an address that is new too, where a key names the account that the journal alone knows', async () => {
    const { awsDir } = await use(dir, keys.mute)
    await expect(adoptAt(localhost(), dir, keys.one)).rejects.toThrow('nothing shows that it is the same service')
    await makeKeptJournal(awsDir, (store) => createPinnedAccount(store, () => 'stamp').settle('account-1', 'test'))
    await expect(adoptAt(localhost(), dir, keys.two)).rejects.toThrow('another one')
    await adoptAt(localhost(), dir, keys.one)
    expect(await useAt(localhost(), dir, keys.one)).toMatchObject({ awsDir })
    expect(asked).toEqual([[keys.one.prefix]])
  })

  test('are taken where account.json is gone, and a key names the account of the journal', async () => {
    const { awsDir } = await use(dir, keys.one)
    await sent(awsDir)
    rmSync(path.join(dir, 'account.json'))
    await expect(adopt(dir, keys.oneToo)).rejects.toThrow('nothing shows that it is the same service')
    await makeKeptJournal(awsDir, (store) => createPinnedAccount(store, () => 'stamp').settle('account-1', 'test'))
    await expect(use(dir, keys.oneToo)).rejects.toMatchObject({ next: expect.stringContaining('keys adopt') })
    for (const other of [keys.two, keys.mute, live])
      await expect(adopt(dir, other)).rejects.toMatchObject({ exitCode: 2, code: 'keys' })
    expect(asked).toEqual([])
    await adopt(dir, keys.oneToo)
    expect(await use(dir, keys.oneToo)).toMatchObject({ awsDir, newSince: NOW })
    expect(findAccountPin(dir)).toMatchObject({
      account: accountDigest('account-1'),
      keys: [signed.prefix, keys.oneToo.prefix],
    })
    expect(asked).toEqual([[keys.oneToo.prefix]])
  })

  test('are not taken against the account that the journal itself names', async () => {
    const { awsDir } = await use(dir, keys.mute)
    await makeKeptJournal(awsDir, async (store) => {
      await createPinnedAccount(store, () => 'stamp').settle('account-1', 'test')
    })
    await expect(adopt(dir, keys.two)).rejects.toThrow('these are keys of account account-2')
    expect(asked).toEqual([])
    await adopt(dir, keys.one)
    await use(dir, keys.oneToo)
  })

  test('of a directory of before whose account nobody knows go on with its records', async () => {
    const awsDir = former(serviceFolderName(server.baseUrl))
    await sent(awsDir)
    await expect(use(dir, keys.one)).rejects.toMatchObject({ next: expect.stringContaining('keys adopt') })
    await adopt(dir, keys.one)
    expect(await use(dir, keys.oneToo)).toEqual({ awsDir, sandboxFile: expect.any(String) })
    expect(findAccountPin(dir)).toMatchObject({ keys: [signed.prefix, keys.one.prefix, keys.oneToo.prefix] })
  })

  test('are not taken where the person says no, nor into a directory that keeps nothing', async () => {
    await expect(adopt(dir, keys.one)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('no records'),
    })
    await use(dir, keys.mute)
    const no = admitService(dir, { url: server.baseUrl, ownKeys: [keys.one] }, manualClock(), () =>
      Promise.reject(new Error('declined')),
    )
    await expect(no).rejects.toThrow('declined')
    expect(findAccountPin(dir)).toMatchObject({ keys: [keys.mute.prefix] })
  })
})
