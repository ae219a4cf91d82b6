// Finds runs whose wait for people is over, and that nobody has entered since. The entry after the decision met a halt,
// quiet hours or another obstacle, or never began. Entering a run carries the decision out, or ends a run whose time
// to be approved is over. Reads only the journal.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { findReadable } from '../../core/journal/listed-records.ts'
import { withDecisions } from '../../core/runs/approval/decision.ts'
import { endOfWait } from '../../core/runs/approval/end-of-wait.ts'
import { findQuietHours } from '../../core/runs/plan/obstacle.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { type Stopped, skipMisfit, stoppedRun } from './find-stopped.ts'
import type { LookAgainPorts } from './ports.ts'

interface Now {
  /** Service time, epoch ms. */
  readonly nowMs: number
  readonly reachedMs: number
  /** Whether people have just resumed sending. */
  readonly isResumed: boolean
}

/**
 * Skips runs that are halted, or in quiet hours, because such an entry would only find that out. A record of people's
 * decisions that does not fit hides no other run.
 * @throws Transient, Defect
 */
export async function decidedOf(
  awaiting: readonly RunRecord[],
  { nowMs, reachedMs, isResumed }: Now,
  { halts, treasury, ...heard }: Pick<LookAgainPorts, 'halts' | 'treasury' | 'decisions' | 'requesters'>,
): Promise<readonly Stopped[]> {
  const span = { treasury, fromMs: reachedMs, toMs: nowMs }
  const free = await mapBounded(awaiting, READS_AT_ONCE, async (waiting) => {
    const run = await findReadable(() => withDecisions(waiting, heard), skipMisfit)
    const end = run && endOfWait(run, nowMs)
    if (run === undefined || end === undefined) return []
    // A rejection ends the run during a halt as well.
    if (end === 'rejected') return [run]
    const { policy, asPlanned } = run
    if ((await halts.find(policy)) !== undefined) return []
    return findQuietHours(policy, asPlanned, span) === undefined ? [run] : []
  })
  return free.flat().map((run) => ({ ...stoppedRun(run), isUrgent: isResumed }))
}
