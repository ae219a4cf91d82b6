// Looks at a list again and again, until the person has seen enough: on a terminal it redraws the list, elsewhere it
// appends what is new or has changed. How the list is read is not its business.

import { setTimeout as sleep } from 'node:timers/promises'
import type { TextStream } from '../../views/text/text-stream.ts'

/** A day of looks. Whoever wants more starts it again. */
export const MOST_LOOKS = 43_200
export const LOOK_WAIT_MS = 2_000

interface WatchOptions<Row> {
  look(): Promise<readonly Row[]>
  show(rows: readonly Row[]): void
  readonly signal: AbortSignal
  readonly waitMs?: number
  readonly mostLooks?: number
}

/** Resolves when the signal is aborted, or after the last look. Rejects where a look fails. */
export async function watch<Row>({
  look,
  show,
  signal,
  waitMs = LOOK_WAIT_MS,
  mostLooks = MOST_LOOKS,
}: WatchOptions<Row>): Promise<void> {
  for (let count = 1; count <= mostLooks && !signal.aborted; count++) {
    const rows = await look()
    if (signal.aborted) return
    show(rows)
    if (count === mostLooks) return
    // Ctrl-C ends the wait, and is no error.
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Gives back the rows that were not there before, or were others. `keyOf` is the same for the same row. */
export function onlyChanged<Row>(keyOf: (row: Row) => string): (rows: readonly Row[]) => readonly Row[] {
  let known = new Map<string, string>()
  return (rows) => {
    const seen = new Map(rows.map((row) => [keyOf(row), JSON.stringify(row)]))
    const changed = rows.filter((row) => known.get(keyOf(row)) !== seen.get(keyOf(row)))
    known = seen
    return changed
  }
}

/** Screens report how many rows they have. Some report 0. */
const DEFAULT_ROWS = 24

/** Draws the lines over those of before, as many as the screen has room for. */
export function redraw(lines: readonly string[], stdout: TextStream & { readonly rows?: number }): void {
  const room = Math.max(2, (stdout.rows || DEFAULT_ROWS) - 1)
  const shown =
    lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${lines.length - room + 1} lines more`]
  // To the corner, each line up to the end of its row, and then nothing below.
  stdout.write(`\u001b[H${shown.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
}
