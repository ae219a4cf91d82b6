// Finds payouts to banks that nobody follows: the service has accepted them, a bank takes days, and the execution that was to
// look at them was stopped. Their movement is proven, so they are in no list of what is open. Step Functions knows which
// executions were stopped. Looking at one sends nothing. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { requestOf, runOf } from '../../core/journal/entering.ts'
import type { WithdrawIntent } from '../../core/journal/intent.ts'
import { findReadable } from '../../core/journal/listed-records.ts'
import { isBankPayout } from '../../core/movements/withdrawal/payout.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { leaveOut, ofRun, type Stopped } from './find-stopped.ts'
import type { LookAgainPorts } from './ports.ts'

/** The most that a payout is given, and as much again: what was stopped before is told by `sluice cases list`. */
const STOPPED_WITHIN_MS = 28 * 24 * 3_600_000
/** Of each end. */
const MOST_STOPPED = 100

const LEFT: ReadonlySet<string> = new Set(['ABORTED', 'TIMED_OUT'])
const ANY_END: ReadonlySet<string> = new Set([...LEFT, 'SUCCEEDED', 'FAILED'])
/** Such a run is settled anew, and nothing of it is begun. */
const SETTLED_FOR_NOW: ReadonlySet<string> = new Set([RunEnd.Settled, RunEnd.PartlySettled])

export interface Payouts {
  readonly stopped: readonly Stopped[]
  readonly isCutOff: boolean
}

/** `nowMs`: about the time of now. @throws Transient, OwnFault */
export async function findPayouts(
  { journal, listStopped, runs }: Pick<LookAgainPorts, 'journal' | 'listStopped' | 'runs'>,
  nowMs: number,
): Promise<Payouts> {
  const { names, isCutOff } = await listStopped(StateMachine.Withdraw, nowMs - STOPPED_WITHIN_MS, MOST_STOPPED)
  const ids = [...new Set(names.map(intentIdOf))]
  const found = await mapBounded(ids, READS_AT_ONCE, async (id) => {
    const intent = await findReadable(() => journal.find(id, IntentKind.Withdraw), leaveOut)
    if (intent?.state !== IntentState.Done || !isBankPayout(intent)) return []
    const runId = runOf(intent)
    return [ofPayout(intent, runId === undefined ? undefined : await findReadable(() => runs.find(runId), leaveOut))]
  })
  return { stopped: found.flat(), isCutOff }
}

/** A run was settled while its payout was on its way. Once that is at its end, it is settled by that. */
function ofPayout(intent: WithdrawIntent, run: RunRecord | undefined): Stopped {
  const { intentId: id } = intent
  const isAwaited =
    run !== undefined && SETTLED_FOR_NOW.has(run.outcome) && run.results[id]?.outcome === WithdrawStep.Processing
  return {
    ...{ id, stateMachine: StateMachine.Withdraw, request: requestOf(intent), isLeg: runOf(intent) !== undefined },
    ends: LEFT,
    followed: isAwaited ? { by: { ...ofRun(run), ends: ANY_END } } : {},
  }
}
