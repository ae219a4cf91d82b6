// Writes share a sync to disk and keep their order, and none is answered before it is on disk.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Disk } from '../../disk.ts'
import { GroupCommit, type LevelWrite } from '../../dynamodb/group-commit.ts'

class WatchedDisk extends Disk {
  readonly synced: string[] = []
  override sync(folder: string): void {
    this.synced.push(path.basename(folder))
  }
}

/** A GroupCommit over a store whose syncs end when the test ends them. */
function commitOver() {
  const directory = mkdtempSync(path.join(tmpdir(), 'group-commit-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const disk = new WatchedDisk(true)
  const batches: { readonly keys: readonly string[]; readonly end: (error?: Error) => void }[] = []
  const batch = (writes: readonly LevelWrite[]) =>
    new Promise<void>((resolve, reject) => {
      const end = (error?: Error) => (error === undefined ? resolve() : reject(error))
      batches.push({ keys: writes.map(({ key }) => key), end })
    })
  return { commit: new GroupCommit(directory, batch, disk), batches, directory, disk }
}

const put = (key: string): LevelWrite => ({ type: 'put', key, value: {} })
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('writes that arrive during a sync share the next sync, in order', async () => {
  const { batches, commit } = commitOver()
  const answered: string[] = []
  for (const key of ['a', 'b', 'c']) void commit.write([put(key)]).then(() => answered.push(key))
  await turn()
  expect(batches.map(({ keys }) => keys)).toEqual([['a']])
  batches[0]?.end()
  await turn()
  expect(answered).toEqual(['a'])
  expect(batches.map(({ keys }) => keys)).toEqual([['a'], ['b', 'c']])
  batches[1]?.end()
  await commit.untilIdle()
  expect(answered).toEqual(['a', 'b', 'c'])
})

test('a write ahead goes into the batch of the next write, before it', async () => {
  const { batches, commit } = commitOver()
  commit.ahead(put('index'))
  await turn()
  expect(batches).toEqual([])
  const written = commit.write([put('item')])
  expect(batches.map(({ keys }) => keys)).toEqual([['index', 'item']])
  batches[0]?.end()
  await written
})

test('a failed sync fails the writes that shared it, and every later one without a batch', async () => {
  const { batches, commit } = commitOver()
  const outcomes = ['a', 'b', 'c'].map((key) => commit.write([put(key)]))
  batches[0]?.end()
  await turn()
  batches[1]?.end(new Error('the disk is gone'))
  expect((await Promise.allSettled(outcomes)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
  ])
  await expect(commit.write([put('d')])).rejects.toThrow('the disk is gone')
  expect(batches).toHaveLength(2)
})

test('at most 1,000 writes share a sync, and the rest wait for the next sync', async () => {
  const { batches, commit } = commitOver()
  for (let key = 0; key < 1_500; key += 1) void commit.write([put(String(key))])
  batches[0]?.end()
  await turn()
  batches[1]?.end()
  await turn()
  batches[2]?.end()
  await commit.untilIdle()
  expect(batches.map(({ keys }) => keys.length)).toEqual([1, 1_000, 499])
})

test('the name of a new LevelDB file is on disk before a write in it is answered', async () => {
  const { batches, commit, directory, disk } = commitOver()
  const folder = path.basename(directory)
  // The sync for the files that the store made when it was opened.
  expect(disk.synced).toEqual([folder])
  const write = (key: string, file: string) => {
    const written = commit.write([put(key)]).then(() => disk.synced.length)
    writeFileSync(path.join(directory, file), '')
    batches.at(-1)?.end()
    return written
  }
  expect(await write('a', '000003.log')).toBe(2)
  expect(await write('b', '000003.log')).toBe(2)
  expect(await write('c', '000004.log')).toBe(3)
})
