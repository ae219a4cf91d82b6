// What a person decides on a plan that waits: recorded in the run, with who, when and why. Starts nothing. An approved
// run goes on when it is entered again; go-on.ts looks then whether what the approval rests on still holds.
import { RunEnd } from '../../contract/runs.ts'
import { Refused } from '../../errors.ts'
import type { RunRecord } from '../record/run-record.ts'
import type { Runs } from '../record/runs.ts'

export interface Decision {
  readonly decision: 'approved' | 'rejected'
  /** The plan that the person saw. */
  readonly planHash: string
  readonly by: string
  readonly because: string
  /** ISO-8601. */
  readonly at: string
}

/**
 * The run, where a person may decide so. Changes nothing.
 * @throws Refused with why not. @throws Transient
 */
export async function findAwaiting(runId: string, runs: Pick<Runs, 'find'>): Promise<RunRecord> {
  const run = await runs.find(runId)
  if (!run) throw new Refused(`the journal has no run ${runId}`)
  if (run.outcome !== RunEnd.AwaitingApproval || run.approval === undefined) {
    throw new Refused(`run ${runId} is ${run.outcome}: it waits for nobody`)
  }
  return run
}

/**
 * What is known of the approval of a run that waits. @throws Refused with why nobody may decide so on its plan: it is
 * another one, a person has decided otherwise, or its time is over
 */
export function decidable(
  { runId, approval }: RunRecord,
  { planHash, decision, at }: Pick<Decision, 'planHash' | 'decision' | 'at'>,
): NonNullable<RunRecord['approval']> {
  if (approval === undefined || approval.planHash !== planHash) {
    throw new Refused(`run ${runId} has another plan than the one that was looked at; look again`)
  }
  if (approval.decision !== undefined && approval.decision !== decision) {
    throw new Refused(`run ${runId} is already ${approval.decision} by ${approval.by}`)
  }
  if (approval.decision === undefined && Date.parse(at) >= Date.parse(approval.expiresAt)) {
    throw new Refused(`the time to approve run ${runId} ended at ${approval.expiresAt}`)
  }
  return approval
}

/**
 * Records it. The same decision again changes nothing, and a no ends the run. @throws Refused with why not: the run
 * waits no more, its plan is another, its time is over, or a person has decided otherwise. @throws Transient
 */
export async function decideApproval(
  runId: string,
  { planHash, ...decision }: Decision,
  runs: Pick<Runs, 'find' | 'advance'>,
): Promise<RunRecord> {
  const run = await findAwaiting(runId, runs)
  const approval = decidable(run, { planHash, ...decision })
  if (approval.decision !== undefined) return run
  const decided = { approval: { ...approval, ...decision } }
  if (decision.decision === 'approved') return runs.advance(run, decided)
  const why = `${decision.by} said no: ${decision.because}`
  return runs.advance(run, { ...decided, outcome: RunEnd.Disapproved, endedAt: decision.at, why })
}
