// Reads a list again and again, until the person stops it. On a terminal it redraws the list; elsewhere it appends new and
// changed rows. The caller decides how the list is read.

import { setTimeout as sleep } from 'node:timers/promises'
import type { TextStream } from '../../views/text/width.ts'

/** At two seconds each, about a day. To go further, start the command again. */
export const MOST_READS = 43_200
const READ_WAIT_MS = 2_000

interface WatchOptions<Row> {
  read(): Promise<readonly Row[]>
  show(rows: readonly Row[]): void
  readonly signal: AbortSignal
  readonly waitMs?: number
  readonly mostReads?: number
}

/** Resolves when the signal is aborted, or after the last read. Rejects where a read fails. */
export async function watch<Row>({
  read,
  show,
  signal,
  waitMs = READ_WAIT_MS,
  mostReads = MOST_READS,
}: WatchOptions<Row>): Promise<void> {
  for (let count = 1; count <= mostReads && !signal.aborted; count++) {
    const rows = await read()
    if (signal.aborted) return
    show(rows)
    if (count === mostReads) return
    // Ctrl-C ends the wait, and is not an error.
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Returns the rows that are new or have changed. `keyOf` is the same for the same row. */
export function onlyChanged<Row>(keyOf: (row: Row) => string): (rows: readonly Row[]) => readonly Row[] {
  let known = new Map<string, string>()
  return (rows) => {
    const seen = new Map(rows.map((row) => [keyOf(row), JSON.stringify(row)]))
    const changed = rows.filter((row) => known.get(keyOf(row)) !== seen.get(keyOf(row)))
    known = seen
    return changed
  }
}

/** Rows of a screen that reports 0, as some do. */
const DEFAULT_ROWS = 24

/** Draws the lines over the earlier lines, as many as fit the screen. */
export function redraw(lines: readonly string[], stdout: TextStream & { readonly rows?: number }): void {
  const room = Math.max(2, (stdout.rows || DEFAULT_ROWS) - 1)
  const shown =
    lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${lines.length - room + 1} lines more`]
  // Moves to the corner, clears the end of each line, and then everything below.
  stdout.write(`\u001b[H${shown.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
}
