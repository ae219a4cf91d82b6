// A reading of rows begins again where the process that served them has ended (place/desk/join-desk.ts).
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { exportTexts, type TakeRows } from '../../../../cli/terminal/row-export.ts'
import { folderOfFile } from '../../../helpers/folders.ts'
import { recorded } from './recorded-stream.ts'

const folder = folderOfFile()

const TEXTS = { title: 'id\r\n', line: (row: string) => `${row}\r\n` }

async function* rowsOf(...rows: string[]) {
  yield* rows
}

/** Hands over the rows of each reading in turn. */
function reading(...readings: (readonly string[])[]) {
  return async (take: TakeRows<string>) => {
    for (const rows of readings) await take(rowsOf(...rows))
  }
}

test('a file has the rows of the last reading alone', async () => {
  const file = path.join(folder, 'rows.csv')
  await exportTexts(TEXTS, file, { stdout: recorded() }, reading(['a'], ['a', 'b']))
  expect(readFileSync(file, 'utf8')).toBe('id\r\na\r\nb\r\n')
})

test('a reading that begins again before its first row prints each row once, with one title', async () => {
  const stdout = recorded()
  const broken: AsyncIterable<string> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('the connection is closed')) }),
  }
  await exportTexts(TEXTS, undefined, { stdout }, async (take) => {
    await take(broken).catch(() => undefined)
    await take(rowsOf('a', 'b'))
  })
  expect(stdout.text).toBe('id\r\na\r\nb\r\n')
})

test('a reading that begins again after printed rows ends, and prints no row twice', async () => {
  const stdout = recorded()
  await expect(exportTexts(TEXTS, undefined, { stdout }, reading(['a'], ['a', 'b']))).rejects.toMatchObject({
    code: 'interrupted',
    exitCode: 1,
  })
  expect(stdout.text).toBe('id\r\na\r\n')
})
