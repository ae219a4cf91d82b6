// Defines the input, the findings and the report of the audit, the function Reconcile. Amounts are settled decimal
// strings, times ISO-8601 in service time. plain-words-ignore: the function's name
import * as z from 'zod/mini'
import { isoTime } from './fields.ts'

/** Findings of an audit. The names are stable, because alarms and people's queries use them. */
export const FindingType = {
  /** Money moved without a claim by an intent. Not reported where others share the account. */
  UnclaimedMovement: 'unclaimed_movement',
  /** A movement is claimed by an intent that does not name it, or as foreign without a person's declaration. */
  UnprovenClaim: 'unproven_claim',
  /** A person declared a movement foreign. Reported once. */
  ForeignMovement: 'foreign_movement',
  /** An intent is DONE, but the service does not show its movement. */
  MissingMovement: 'missing_movement',
  /** A movement differs from what its intent froze: side, market, asset, amount, network, or the sum of its fills. */
  DifferingTerms: 'differing_terms',
  /** A withdrawal pays a row of a payout file that another withdrawal has paid. */
  PaidTwice: 'paid_twice',
  /** The ledger has an entry of a movement that is in no list. */
  UnlistedEntry: 'unlisted_entry',
  /** A ledger entry and its movement have different amounts. */
  DifferingEntry: 'differing_entry',
  /** A fill or a withdrawal is not in the ledger. */
  MissingEntry: 'missing_entry',
  /** An intent is ARMED long past its fence, or READY long past its time. */
  OverdueIntent: 'overdue_intent',
  /** The record of an open intent does not follow from the request. */
  ChangedRecord: 'changed_record',
  /** A record of an intent or a claim was edited, or is damaged. Nothing continues from it. */
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

/**
 * Without `since`: begins where the last audit ended, and the next audit continues from the end of this one. With
 * `since`: begins there. With `continues`: does nothing unless the last call left a part of its audit to the next.
 */
export const reconcileInput = z.object({ since: z.optional(isoTime), continues: z.optional(z.literal(true)) })
export type ReconcileInput = z.infer<typeof reconcileInput>

export const AuditOutcome = { TiesOut: 'TIES_OUT', Findings: 'FINDINGS' } as const

/** Returned in place of a report while nobody has declared which account the journal belongs to. */
export const notDeclared = z.object({ outcome: z.literal('NOT_DECLARED') })
export const NOT_DECLARED: z.infer<typeof notDeclared> = { outcome: 'NOT_DECLARED' }

/** Returned in place of a report where the last audit left nothing to continue. */
export const nothingLeft = z.object({ outcome: z.literal('NOTHING_LEFT') })
export const NOTHING_LEFT: z.infer<typeof nothingLeft> = { outcome: 'NOTHING_LEFT' }

/** An audit may take several calls. Its report then counts from its beginning on. */
export const reconcileReport = z.object({
  outcome: z.enum(AuditOutcome),
  /** Movements after this time, up to and including `through`, were judged. */
  since: isoTime,
  /**
   * Movements dated after this time, up to and including `since`, were judged again, because a service may backdate
   * this far. Absent where `since` was requested.
   */
  againFrom: z.optional(isoTime),
  /**
   * Present while movements dated after this time, up to and including `since`, are still to be judged again. The next
   * call continues from here.
   */
  againLeftFrom: z.optional(isoTime),
  /** Present where the audit began in an earlier call: when it began. */
  begunAt: z.optional(isoTime),
  /** Number of ledger findings about entries that may be too young. A later audit reports them if they remain. */
  waiting: z.int(),
  through: isoTime,
  /**
   * Present where the last audit ended in what is now the future, because a clock was ahead and was set back. This
   * audit looks back as far as a first one. To judge more again, give `since`.
   */
  clockSetBackFrom: z.optional(isoTime),
  /** Movements after this time are too young to be judged. */
  youngSince: isoTime,
  /** An audit after this time judges everything that had moved when this audit began. */
  allFrom: isoTime,
  orders: z.int(),
  fills: z.int(),
  withdrawals: z.int(),
  entries: z.int(),
  /** Number of intents examined: all open intents, in a long audit each hour, and those with a movement in that time. */
  intents: z.int(),
  /** Number of foreign movements: declared ones, and on a shared account all that no intent claims. */
  foreign: z.int(),
  findingsTotal: z.int(),
  /** The first findings. The log has every finding. */
  findings: z.array(finding),
  /** Findings of earlier audits that are still so. A movement that nobody claims stays until it is claimed or declared. */
  open: z.array(finding),
})
export type ReconcileReport = z.infer<typeof reconcileReport>

/** Whether the audit judged everything that is old enough, and judged again what is dated before. */
export function isWholeAudit({ through, youngSince, againLeftFrom }: ReconcileReport): boolean {
  return againLeftFrom === undefined && Date.parse(through) >= Date.parse(youngSince)
}

/** Seconds of movements that are old enough and that no audit has judged yet. */
export function auditLagSeconds({ through, youngSince }: ReconcileReport): number {
  return Math.max(0, Date.parse(youngSince) - Date.parse(through)) / 1000
}
