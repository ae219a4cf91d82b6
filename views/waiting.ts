// Shows a case that waits for a person: as a row for --csv and --columns, and as a block of named facts. Pure.
import type { Column } from '../operations/words/column.ts'
import { recordLines } from './text/table.ts'

/** One row for every kind of case, for --csv and --columns. */
export interface WaitingRow {
  readonly waits: string
  readonly kind: string
  readonly state: string
  readonly asked: string
  readonly why: string
  readonly next: string
}

export const columns: readonly Column<WaitingRow>[] = [
  { title: 'waits', text: ({ waits }) => waits },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'state', text: ({ state }) => state },
  { title: 'asked', text: ({ asked }) => asked, isDetail: true },
  { title: 'why', text: ({ why }) => why, isDetail: true },
  { title: 'next', text: ({ next }) => next, isDetail: true },
]

/** Such as `  why        no execution of it is known`. */
export function fieldLines(name: string, text: string, width: number): string[] {
  const column = { title: name.padEnd('candidate'.length), text: () => text }
  return recordLines([column], undefined, width - INDENT.length).map((line) => `${INDENT}${line}`)
}

const INDENT = '  '
