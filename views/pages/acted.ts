// Defines the data that a page shows about an act of a person: how it ended, with its facts and its notes.

import type { Plan } from '../../core/contract/plan.ts'
import type { ReconcileReport } from '../../core/contract/reconcile.ts'
import type { PayoutFinding } from '../../core/runs/payouts/check-lines.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { OperationError } from '../../place/operation-error.ts'

/** The form that sends a yes: its address, and the fields that were sent before. */
export interface Ask {
  readonly action: string
  readonly hidden: Readonly<Record<string, string>>
}

/** An act before it has an id. */
export interface Deed {
  /** In words, such as `approve: balanced, 24 Nov 09:00`. */
  readonly what: string
  /** Id of the run, movement or letter that the act is about, where `what` calls it by a name. */
  readonly subject?: string
  /** Path of the page that the act concerns. */
  readonly about: string
  readonly ask?: Ask
  /** True for an act that begins however many others are under way, such as a halt. */
  readonly isUrgent?: true
  /** The rows of payouts as they were typed, to be corrected. */
  readonly rows?: string
}

export interface Act extends Deed {
  readonly id: string
  /** ISO-8601. */
  readonly at: string
  /** Those so far, while the act runs. */
  readonly notes?: readonly string[]
  /** Absent while the act runs. */
  readonly end?: ActEnd
}

/** The notes of an operation, and those that a view adds to its result. */
interface Noted {
  readonly notes: readonly string[]
}

export interface ActResult {
  /** The exit code that a command would end with. */
  readonly exitCode: ExitCode
  readonly facts: object
  /** The result in one sentence, where its facts have no outcome. */
  readonly says?: string
  /** Path of the page about what the act made. */
  readonly see?: string
  readonly plan?: Plan
  readonly audit?: ReconcileReport
  /** The results of several decisions, by what became of them. */
  readonly groups?: readonly ResultGroup[]
}

/** Results that ended in the same way. */
export interface ResultGroup {
  readonly title: string
  readonly look: 'good' | 'wait' | 'bad'
  /** Advice to a person. Absent where nothing is left to do. */
  readonly todo?: string
  readonly items: readonly { readonly href: string; readonly what: string; readonly says: string }[]
}

export type ActEnd =
  | ({ readonly ended: 'done' } & ActResult & Noted)
  /** Everything was examined, and nothing was written. The act needs a yes to this question. */
  | ({ readonly ended: 'asks'; readonly question: string; readonly yes: string } & Noted)
  | ({
      readonly ended: 'refused'
      readonly error: Pick<OperationError, 'code' | 'message' | 'next'>
      /** The faults of a payout file. */
      readonly findings?: readonly PayoutFinding[]
    } & Noted)
