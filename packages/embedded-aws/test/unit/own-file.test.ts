// Files of another user, and links, in place of the files of a state directory. Each is refused by name and never read.
import { globSync, lchownSync, mkdirSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { UNSYNCED } from '../../disk.ts'
import { DynamoDb } from '../../dynamodb/dynamodb.ts'
import { readOwnText } from '../../own-file.ts'
import { SecretStore } from '../../secrets/secret-store.ts'
import { type Machines, startProcess, temporaryDirectory } from './executed.ts'

const PLACE = { account: '123456789012', region: 'us-east-1' }
/** The user id of `nobody` on most systems. */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

const openDatabase = (folder: string) => DynamoDb.open(folder, PLACE, UNSYNCED)

/** Replaces the file by a link to itself at another place, so that only the link is wrong. */
function makeLink(file: string): void {
  const elsewhere = path.join(temporaryDirectory(), path.basename(file))
  renameSync(file, elsewhere)
  symlinkSync(elsewhere, file)
}
const giveAway = (file: string) => lchownSync(file, NOBODY, NOBODY)

const FOREIGN_FILES = [
  ['a link', makeLink, /is a symbolic link/, true],
  ['a file of another user (needs root, which can give files away)', giveAway, /belongs to another user/, isRoot],
] as const

describe.each(FOREIGN_FILES)('%s', (_name, plant, message, isPossible) => {
  test.runIf(isPossible)('in place of the secrets is refused', () => {
    const file = path.join(temporaryDirectory(), 'secrets.json')
    writeFileSync(file, '{}')
    plant(file)
    expect(() => new SecretStore(file)).toThrow(message)
  })

  test.runIf(isPossible)('in the database is refused before it is opened', async () => {
    const folder = path.join(temporaryDirectory(), 'dynamodb')
    await (await openDatabase(folder)).close()
    plant(path.join(folder, 'CURRENT'))
    const before = readdirSync(folder)
    await expect(openDatabase(folder)).rejects.toThrow(message)
    expect(readdirSync(folder)).toEqual(before)
  })

  test.runIf(isPossible)('in place of an execution is not continued, and all others continue', async () => {
    const directory = temporaryDirectory()
    const cutOff = startProcess(directory, SLOW)
    for (const name of ['his', 'own']) cutOff.executions.start('Slow', name, '{}')
    cutOff.executions.halt()
    const [file = ''] = globSync(path.join(directory, 'executions/Slow/unfinished/his.*.jsonl'))
    plant(file)
    const { executions, files, reported, untilQuiet } = startProcess(directory, SLOW)
    executions.resume()
    await untilQuiet()
    expect(files.damage().join()).toMatch(message)
    expect(executions.list('Slow').map(({ name }) => name)).toEqual(['own'])
    expect(executions.find('Slow', 'own')).toMatchObject({ status: 'SUCCEEDED' })
    expect(reported.filter(({ arn }) => arn.endsWith(':his'))).toEqual([])
  })
})

const SLOW: Machines = {
  machines: {
    Slow: {
      StartAt: 'Rest',
      States: { Rest: { Type: 'Wait', Seconds: 10, Next: 'End' }, End: { Type: 'Succeed' } },
    },
  },
}

test('a folder in place of a file is refused by name', () => {
  const folder = path.join(temporaryDirectory(), 'file')
  mkdirSync(folder)
  expect(() => readOwnText(folder)).toThrow(`${folder}: is not a file`)
})

test('files of the database are for their owner only under any umask, and the umask is restored at the end', async () => {
  const usual = process.umask(0)
  try {
    const folder = path.join(temporaryDirectory(), 'dynamodb')
    const [first, second] = [await openDatabase(folder), await openDatabase(`${folder}-2`)]
    await first.ensureTable({
      name: 'rows',
      arn: 'arn:aws:dynamodb:us-east-1:123456789012:table/rows',
      createTable: TABLE,
    })
    await second.close()
    expect(process.umask()).toBe(0o077)
    await first.close()
    expect(process.umask()).toBe(0)
    await expect(openDatabase(path.join(folder, 'CURRENT'))).rejects.toThrow()
    expect(process.umask()).toBe(0)
    const modes = readdirSync(folder).map((name) => statSync(path.join(folder, name)).mode & 0o777)
    expect(new Set(modes)).toEqual(new Set([0o600]))
  } finally {
    process.umask(usual)
  }
})

const TABLE = {
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
}
