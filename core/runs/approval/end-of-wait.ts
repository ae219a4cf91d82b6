// Says how a run's wait for people has ended: they decided, or the time to decide is over. Such a run must be entered again,
// because its step carries the end out. LookAgain, the commands and the pages use this, so that all of them agree. Pure.
import { type Approval, RunEnd } from '../../contract/runs.ts'
import type { RunRecord } from '../record/run-record.ts'

/** `approved`: it continues. `rejected` and `expired`: it ends, and moves nothing. */
export type EndOfWait = 'approved' | 'rejected' | 'expired'

/**
 * Undefined for a run that still waits for people, and for one that never waited. `run`: with people's decisions, as
 * `withDecisions` returns it. `nowMs`: epoch ms.
 */
export function endOfWait({ outcome, approval }: RunRecord, nowMs: number): EndOfWait | undefined {
  if (outcome !== RunEnd.AwaitingApproval || approval === undefined) return undefined
  if (approval.decision === 'rejected') return 'rejected'
  if (nowMs >= Date.parse(approval.expiresAt)) return 'expired'
  return approval.decision
}

/** One sentence for a plan whose time to be approved and carried out is over. */
export function expiredText({ decision, expiresAt }: Approval): string {
  return `nobody ${decision === 'approved' ? 'carried it out' : 'approved it'} until ${expiresAt}`
}
