// Input, findings and report of the audit (functions/reconcile). Amounts are settled decimal
// strings, times ISO-8601 in service time.
import * as z from 'zod/mini'
import { isoTime } from './fields.ts'

/** What an audit may find. The names are stable: alarms and people's queries go by them. */
export const FindingType = {
  /** Money moved that no intent claims. Not reported where others share the account. */
  UnclaimedMovement: 'unclaimed_movement',
  /** A movement is claimed by an intent that does not say the same, or for others without the word of a person. */
  UnprovenClaim: 'unproven_claim',
  /** A person has declared a movement to be others'. Told once. */
  ForeignMovement: 'foreign_movement',
  /** An intent is DONE, and the service does not show its movement. */
  MissingMovement: 'missing_movement',
  /** A movement is not what its intent froze: side, market, asset, amount, network, or the sum of its fills. */
  DifferingTerms: 'differing_terms',
  /** The ledger has an entry of a movement that no list shows. */
  UnlistedEntry: 'unlisted_entry',
  /** An entry of the ledger is of another amount than its movement. */
  DifferingEntry: 'differing_entry',
  /** A fill or a withdrawal is not in the ledger. */
  MissingEntry: 'missing_entry',
  /** An intent is ARMED long past its fence, or READY long past its time. */
  OverdueIntent: 'overdue_intent',
  /** The record of an open intent is not of what was asked for. */
  ChangedRecord: 'changed_record',
  /** A record of an intent or a claim was edited, or does not fit: nothing goes on from it. */
  UnreadableRecord: 'unreadable_record',
} as const
export type FindingType = (typeof FindingType)[keyof typeof FindingType]

export const finding = z.object({
  finding: z.enum(FindingType),
  movement: z.optional(z.enum(['order', 'withdrawal'])),
  movementId: z.optional(z.string()),
  intentId: z.optional(z.string()),
  /** One sentence for a person, with the figures. */
  message: z.string(),
})
export type Finding = z.infer<typeof finding>

/** Without `since`: from where the last audit ended, and the next goes on from this one's end. */
export const reconcileInput = z.object({ since: z.optional(isoTime) })
export type ReconcileInput = z.infer<typeof reconcileInput>

export const AuditOutcome = { TiesOut: 'TIES_OUT', Findings: 'FINDINGS' } as const

/** In place of a report, where nobody has said yet whose the journal is: there is nothing to hold against it. */
export const notDeclared = z.object({ outcome: z.literal('NOT_DECLARED') })
export const NOT_DECLARED: z.infer<typeof notDeclared> = { outcome: 'NOT_DECLARED' }

export const reconcileReport = z.object({
  outcome: z.enum(AuditOutcome),
  /** Movements after this, up to and with `through`, were judged. */
  since: isoTime,
  /**
   * Movements that are dated after this, up to and with `since`, were judged again: a service may date as far back. Later
   * than usual where there are too many. Absent where a time was asked for.
   */
  againFrom: z.optional(isoTime),
  /** Findings of the ledger about those that may be too young. A later audit tells them, if they stay. */
  waiting: z.int(),
  through: isoTime,
  /**
   * Present where the last audit ended in what is now the future: a clock was ahead, and was set back. This audit looked
   * back as a first one does. Name `since` to have more judged again.
   */
  clockSetBackFrom: z.optional(isoTime),
  /** What moved after this is too young to be judged. */
  youngSince: isoTime,
  /** From this time on an audit judges all that had moved when this one began. */
  allFrom: isoTime,
  orders: z.int(),
  fills: z.int(),
  withdrawals: z.int(),
  /** Of the ledger. */
  entries: z.int(),
  /** Intents looked at: those with a movement in that time, and all that are open. */
  intents: z.int(),
  /** Movements that people declared to be others', and on an account that others share those that no intent claims. */
  foreign: z.int(),
  findingsTotal: z.int(),
  /** The first of them; each one is in the log. */
  findings: z.array(finding),
})
export type ReconcileReport = z.infer<typeof reconcileReport>
