// What a page tells of what a person did from it: how it ended, with its data and its notes.

import type { Plan } from '../../core/contract/plan.ts'
import type { ReconcileReport } from '../../core/contract/reconcile.ts'
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
  readonly end?: ActEnd
}

/** What an operation noted on its way, and what a view notes of its result. */
interface Noted {
  readonly notes: readonly string[]
}

/** What an operation came to. */
export interface ActResult {
  /** How a command would end by it. */
  readonly exitCode: ExitCode
  readonly facts: object
  /** Of an act that plans. */
  readonly plan?: Plan
  /** Of an act that audits. */
  readonly audit?: ReconcileReport
}

export type ActEnd =
  | ({ readonly ended: 'done' } & ActResult & Noted)
  /** All was looked at, and nothing was written: what lacks is the yes to this question. */
  | ({ readonly ended: 'asks'; readonly question: string } & Noted)
  | ({ readonly ended: 'refused'; readonly error: Pick<OperationError, 'code' | 'message' | 'next'> } & Noted)
