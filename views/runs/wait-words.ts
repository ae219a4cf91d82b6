// Writes the words for a run whose wait for people is over, and that has not been entered since. Pure.
import type { EndOfWait } from '../../core/runs/approval/end-of-wait.ts'

/** The rest of a sentence about a run, such as `run 7 of policy core …`. */
export const WAIT_ENDED: Readonly<Record<EndOfWait, string>> = {
  approved: 'was approved, and continues by itself once nothing stands against it',
  rejected: 'was rejected, and ends by itself',
  expired: 'was not carried out in time: it ends by itself once nothing is halted, and moves nothing',
}
