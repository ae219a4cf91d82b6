// Fills the columns that conversions and withdrawals have in common, from the journal and the time of booking at the
// service. Pure.
import type { Intent } from '../../../core/journal/intent.ts'
import { movementIdOf } from '../record-kind.ts'
import { type MovementRow, RowState } from './movement-row.ts'

/** `bookedAt`: the date of the movement at the service, as it states it. */
export function intentColumns(intent: Intent, bookedAt: string | undefined): Partial<MovementRow> {
  const { kind, intentId, createdAt, params, attempt, why } = intent
  // An attempt that is certified to have moved nothing has no time of its own.
  const isSent =
    attempt !== undefined && (intent.state === 'DONE' || intent.state === 'ARMED' || intent.state === 'ESCALATED')
  const sentAt = isSent ? new Date(attempt.iat * 1000).toISOString() : undefined
  return {
    id: intentId,
    kind,
    at: momentOf(bookedAt) ?? sentAt ?? momentOf(createdAt) ?? createdAt,
    policy: textOf(params.policy),
    run: textOf(params.run),
    requestId: textOf(params.requestId),
    movementId: textOf(movementIdOf(intent)),
    askedAt: createdAt,
    sentAt: textOf(sentAt),
    bookedAt: textOf(bookedAt),
    why: textOf(why),
  }
}

/** Where the service shows no movement of it. */
export function stateOfIntent({ state, outcome, ref }: Intent): string {
  if (state === 'DONE' && ref !== undefined) return RowState.Missing
  return outcome ?? state
}

export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** The same moment in UTC, with milliseconds, so that texts sort by time. */
function momentOf(text: string | undefined): string | undefined {
  const atMs = Date.parse(text ?? '')
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString()
}
