// Sorts more rows by time than memory should hold. Parts of them are sorted and kept in a file without a name, which ends with
// this process. They are then merged, with one block of each part in memory.
import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const OWNER_ONLY = 0o600
/** Rows that are sorted in memory. */
const PART_ROWS = 5_000
/** Bytes of a part that are in memory while parts are merged. */
const BLOCK_BYTES = 65_536
const LINE_END = 0x0a

/** How a row is kept: as one line of text. */
export interface RowForm<Row> {
  /** Epoch ms. */
  readonly timeOf: (row: Row) => number
  /** Without a line end, as JSON has none. */
  readonly write: (row: Row) => string
  readonly read: (text: string) => Row
}

export interface RowsByTime<Row> {
  add(rows: readonly Row[]): void
  /** Forgets all rows. */
  clear(): void
  /** Oldest first. Rows of one moment keep the order in which they were added. */
  oldestFirst(): Generator<Row, void>
  close(): void
}

interface Part {
  readonly from: number
  readonly to: number
}

export function openRowsByTime<Row>({ timeOf, read, write }: RowForm<Row>): RowsByTime<Row> {
  const handle = openUnnamed()
  let waiting: Row[] = []
  let parts: Part[] = []

  function keepWaiting(): void {
    if (waiting.length === 0) return
    const from = parts.at(-1)?.to ?? 0
    const sorted = waiting.toSorted((one, other) => timeOf(one) - timeOf(other))
    const bytes = Buffer.from(sorted.map((row) => `${write(row)}\n`).join(''), 'utf8')
    writeAt(handle, bytes, from)
    parts.push({ from, to: from + bytes.length })
    waiting = []
  }

  return {
    add(rows) {
      for (const row of rows) {
        waiting.push(row)
        if (waiting.length === PART_ROWS) keepWaiting()
      }
    },
    clear() {
      ftruncateSync(handle)
      waiting = []
      parts = []
    },
    *oldestFirst() {
      keepWaiting()
      const cursors = parts.map((part) => cursorOf(linesOf(handle, part), read))
      for (;;) {
        const first = oldestOf(cursors, timeOf)
        if (first?.row === undefined) return
        yield first.row
        first.advance()
      }
    },
    close: () => closeSync(handle),
  }
}

interface Cursor<Row> {
  /** Absent after the last. */
  row: Row | undefined
  advance(): void
}

function cursorOf<Row>(lines: Generator<string, void>, read: (text: string) => Row): Cursor<Row> {
  const cursor: Cursor<Row> = {
    row: undefined,
    advance() {
      const { value } = lines.next()
      cursor.row = value === undefined ? undefined : read(value)
    },
  }
  cursor.advance()
  return cursor
}

/** The earlier part comes first where rows have the same moment. */
function oldestOf<Row>(cursors: readonly Cursor<Row>[], timeOf: (row: Row) => number): Cursor<Row> | undefined {
  let oldest: Cursor<Row> | undefined
  let oldestMs = Number.POSITIVE_INFINITY
  for (const cursor of cursors) {
    if (cursor.row === undefined) continue
    const atMs = timeOf(cursor.row)
    if (atMs < oldestMs) [oldest, oldestMs] = [cursor, atMs]
  }
  return oldest
}

function* linesOf(handle: number, { from, to }: Part): Generator<string, void> {
  let rest = Buffer.alloc(0)
  for (let at = from; at < to; ) {
    const block = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, to - at))
    const size = readSync(handle, block, 0, block.length, at)
    if (size === 0) throw new Error('the file of sorted rows ends too early')
    at += size
    const bytes = Buffer.concat([rest, block.subarray(0, size)])
    const end = bytes.lastIndexOf(LINE_END) + 1
    rest = bytes.subarray(end)
    if (end > 0) yield* bytes.toString('utf8', 0, end - 1).split('\n')
  }
}

/** Without a name nobody else can open the file, and nothing is left after a crash. */
function openUnnamed(): number {
  const file = path.join(tmpdir(), `sluice-${randomUUID()}`)
  const handle = openSync(file, 'wx+', OWNER_ONLY)
  rmSync(file)
  return handle
}

/** A write may take only a part of the bytes. */
function writeAt(handle: number, bytes: Buffer, position: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at, bytes.length - at, position + at)
}
