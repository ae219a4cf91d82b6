// One JSON line an event on standard output. Takes only the fields listed here, so that nothing
// else (keys, tokens, bodies) can slip into a log.
import type { Finding } from '../../core/contract/reconcile.ts'

export interface LogLine {
  readonly level: 'info' | 'error'
  readonly verb: string
  readonly intentId?: string | undefined
  readonly outcome?: string
  readonly error?: string
  readonly message?: string
}

export function logLine(line: LogLine): void {
  console.log(JSON.stringify(line))
}

/** What an audit found: the field `finding` is what alarms and queries go by. */
export function logFinding({ finding, movement, movementId, intentId, message }: Finding): void {
  console.log(JSON.stringify({ level: 'error', finding, movement, movementId, intentId, message }))
}

/** A policy's breaker opened: the field `breaker` is what the alarm goes by. */
export function logTrip(trip: { readonly policy: string; readonly runId: string; readonly because: string }): void {
  console.log(JSON.stringify({ level: 'error', breaker: trip.policy, intentId: trip.runId, message: trip.because }))
}
