// What a page tells of a command that a person ran from it: what it said, and what became of it.

import type { ExitCode } from '../../operations/exit-code.ts'
import type { OperationError } from '../../operations/operation-error.ts'

/** Where a yes is sent to, with what was sent before. */
export interface Ask {
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
}

export interface Deed {
  /** In words, such as `approve run-1`. */
  readonly what: string
  /** The page that it is about. */
  readonly about: string
  /** Where it may ask for a yes. */
  readonly ask?: Ask
}

export interface Act extends Deed {
  readonly id: string
  /** ISO-8601. */
  readonly at: string
  /** Absent as long as it runs. */
  readonly end?: Captured
}

/** What a command said. */
export interface Said {
  /** What it would print with --json, parsed. */
  readonly data: unknown
  readonly notes: readonly string[]
  /** What a person may want to run next. */
  readonly next: readonly string[]
}

export type Captured =
  | ({ readonly ended: 'done'; readonly exitCode: ExitCode } & Said)
  /** All was looked at, and nothing was written: what lacks is the yes to this question. */
  | ({ readonly ended: 'asks'; readonly question: string } & Said)
  | ({ readonly ended: 'refused'; readonly error: Pick<OperationError, 'code' | 'message' | 'next'> } & Said)
