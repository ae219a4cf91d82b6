// Tests rows that are sorted on disk: their order over several parts, what memory holds, and what is left in the folder.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openRowsByTime, type RowsByTime } from '../../../../operations/files/rows-by-time.ts'

interface Row {
  readonly atMs: number
  readonly text: string
}

const SIZE = 12_345
let folder: string
let rows: RowsByTime<Row>
let reads: number

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sluice-rows-'))
  vi.stubEnv('TMPDIR', folder)
  reads = 0
  rows = openRowsByTime<Row>({
    timeOf: ({ atMs }) => atMs,
    write: (row) => JSON.stringify(row),
    read(text) {
      reads += 1
      return JSON.parse(text)
    },
  })
})
afterEach(() => {
  rows.close()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

test('rows of several parts come oldest first, and those of one moment as they were added, on each walk', () => {
  const given = Array.from({ length: SIZE }, (_, index) => ({ atMs: (index * 7919) % 1_000, text: `${index} ä\n` }))
  for (const row of given) rows.add([row])
  const sorted = given.toSorted((one, other) => one.atMs - other.atMs)
  expect([...rows.oldestFirst()]).toEqual(sorted)
  expect([...rows.oldestFirst()]).toEqual(sorted)
})

test('a walk holds one row of each part beyond those that it has yielded', () => {
  rows.add(Array.from({ length: SIZE }, (_, index) => ({ atMs: -index, text: '' })))
  let walked = 0
  let mostAhead = 0
  for (const _ of rows.oldestFirst()) {
    walked += 1
    mostAhead = Math.max(mostAhead, reads - walked)
  }
  expect({ walked, mostAhead }).toEqual({ walked: SIZE, mostAhead: 2 })
})

test('a row that is longer than a block is whole', () => {
  const given = [1, 2, 3].map((atMs) => ({ atMs, text: 'ü'.repeat(90_000) + atMs }))
  rows.add(given.toReversed())
  expect([...rows.oldestFirst()]).toEqual(given)
})

test('cleared rows are gone, and later ones are kept', () => {
  rows.add(Array.from({ length: SIZE }, (_, atMs) => ({ atMs, text: 'old' })))
  rows.clear()
  rows.add([{ atMs: 1, text: 'new' }])
  expect([...rows.oldestFirst()]).toEqual([{ atMs: 1, text: 'new' }])
})

test('nothing is in the folder for temporary files, also while rows are kept', () => {
  rows.add(Array.from({ length: SIZE }, (_, atMs) => ({ atMs, text: '' })))
  expect(readdirSync(folder)).toEqual([])
})
