// Starts over ended executions and the items that they left. The work of a start does not grow with them: the test counts
// the files that it touches, the entries that it lists, and the keys that it reads.
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import path from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { DynamoDb } from '../../dynamodb/dynamodb.ts'
import { startEmbeddedAws } from '../../embedded-aws.ts'
import { ACCOUNT, REGION, TABLE, temporaryDirectory, writeAssembly } from './fixture/assembly.ts'

interface KeyIterator {
  next(): Promise<unknown>
}
type Iterate = (this: unknown, range?: object) => KeyIterator

const require = createRequire(import.meta.url)
const { Level } = createRequire(require.resolve('dynalite/db'))('level') as {
  readonly Level: { readonly prototype: Record<'iterator' | 'keys' | 'values', Iterate> }
}

const temporary = temporaryDirectory()
afterAll(() => temporary.remove())
const assemblyDir = await writeAssembly(path.join(temporary.directory, 'cdk.out'), {
  machines: { Ends: { StartAt: 'Only', States: { Only: { Type: 'Pass', End: true } } } },
  resources: { Table: TABLE },
})

/** Returns a state directory with ended executions, and as many items in its table. */
async function stateOver(executions: number): Promise<string> {
  const stateDir = path.join(temporary.directory, `over-${executions}`)
  const names = Array.from({ length: executions }, (_, nth) => `run-${nth}`)
  const aws = await startEmbeddedAws({ assemblyDir, stateDir, isDurable: false })
  for (const name of names) {
    const { executionArn } = await aws.startExecution({ stateMachine: 'Ends', name, input: '{}' })
    await aws.untilFinished(executionArn)
  }
  await aws.stop()
  const dynamoDb = await DynamoDb.open(path.join(stateDir, 'dynamodb'), { account: ACCOUNT, region: REGION })
  const { perform } = dynamoDb.endpoint()
  await Promise.all(names.map((name) => perform('PutItem', { TableName: 'records', Item: { pk: { S: name } } })))
  await dynamoDb.close()
  return stateDir
}

/** Starts and stops. Returns the work of both on the directory's past. */
async function workOfAStart(stateDir: string) {
  const executions = path.join(stateDir, 'executions')
  const work = { keys: 0, entries: 0, touched: new Set<string>() }
  const restoreFiles = watchFiles((file, entries) => {
    if (!file.startsWith(executions)) return
    work.touched.add(path.relative(executions, file))
    work.entries += entries
  })
  const restoreKeys = watchKeys(() => {
    work.keys += 1
  })
  try {
    const aws = await startEmbeddedAws({ assemblyDir, stateDir })
    await aws.stop()
  } finally {
    restoreFiles()
    restoreKeys()
  }
  return { ...work, touched: [...work.touched].sort() }
}

const ON_FILES = ['lstatSync', 'open', 'openSync', 'opendirSync', 'readFileSync', 'readdirSync', 'statSync'] as const

/** Calls `seen` for each file and folder that is opened, read or asked about, with the number of entries listed. */
function watchFiles(seen: (file: string, entries: number) => void): () => void {
  const originals = Object.fromEntries(ON_FILES.map((name) => [name, fs[name]]))
  const restore = () => {
    Object.assign(fs, originals)
    syncBuiltinESMExports()
  }
  onTestFinished(restore)
  const watched = Object.entries(originals).map(([name, work]) => {
    const seeing = (...args: readonly unknown[]) => {
      const result: unknown = Reflect.apply(work, fs, args)
      seen(String(args[0]), Array.isArray(result) ? result.length : 0)
      return result
    }
    return [name, seeing]
  })
  Object.assign(fs, Object.fromEntries(watched))
  syncBuiltinESMExports()
  return restore
}

/** Calls `seen` for each key or value that a walk through the database reads. */
function watchKeys(seen: () => void): () => void {
  const spies = (['iterator', 'keys', 'values'] as const).map((name) => {
    const iterate = Level.prototype[name]
    return vi.spyOn(Level.prototype, name).mockImplementation(function (this: unknown, range) {
      const iterator = iterate.call(this, range)
      const next = iterator.next.bind(iterator)
      iterator.next = () => {
        seen()
        return next()
      }
      return iterator
    })
  })
  const restore = () => {
    for (const spy of spies) spy.mockRestore()
  }
  onTestFinished(restore)
  return restore
}

test('a start does the same work over forty ended executions as over two', async () => {
  const few = await workOfAStart(await stateOver(2))
  const many = await workOfAStart(await stateOver(40))
  expect(many).toEqual(few)
  expect(few.touched).toContain('Ends/unfinished')
  expect(few.keys).toBeGreaterThan(0)
})
