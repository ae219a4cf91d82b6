// Finds withdrawals that no execution follows: the service accepted them, and the execution that polled them was stopped or
// saw no end. Their movement is proven, so no list of open intents has them. Step Functions knows which executions ended so.
// Entering such a withdrawal again sends nothing, and reads its end. A run enters its own legs, except a payout to a bank. Reads
// only.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { requestOf, runOf } from '../../core/journal/entering.ts'
import type { WithdrawIntent } from '../../core/journal/intent.ts'
import { findReadable } from '../../core/journal/listed-records.ts'
import { isBankPayout } from '../../core/movements/withdrawal/payout.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import { findLastEntry } from '../../core/triggers/entries.ts'
import { type Stopped, skipMisfit, stoppedRun } from './find-stopped.ts'
import type { LookAgainPorts } from './ports.ts'

/**
 * How far back stopped executions count, in milliseconds: twice the longest time for a payout. `sluice cases list`
 * shows older ones.
 */
const STOPPED_WITHIN_MS = 28 * 24 * 3_600_000
/** Maximum number of stopped executions that are read per status. */
const MOST_STOPPED = 100

const STOPPED_ENDS: ReadonlySet<string> = new Set(['ABORTED', 'TIMED_OUT'])
const UNSEEN_ENDS: ReadonlySet<string> = new Set([...STOPPED_ENDS, 'FAILED'])
const ANY_END: ReadonlySet<string> = new Set([...UNSEEN_ENDS, 'SUCCEEDED'])
/** Runs with these outcomes are settled again when their payout ends. Nothing of them is started. */
const SETTLED_FOR_NOW: ReadonlySet<string> = new Set([RunEnd.Settled, RunEnd.PartlySettled])

export interface Payouts {
  readonly stopped: readonly Stopped[]
  readonly isCutOff: boolean
}

/** Finds the payouts and their runs. @throws Transient, OwnFault */
export async function findPayouts(ports: LookAgainPorts): Promise<Payouts> {
  const { clock, journal, listStopped, runs } = ports
  const { names, isCutOff } = await listStopped(StateMachine.Withdraw, clock.nowMs() - STOPPED_WITHIN_MS, MOST_STOPPED)
  const ids = [...new Set(names.map(intentIdOf))]
  const found = await mapBounded(ids, READS_AT_ONCE, async (id) => {
    const intent = await findReadable(() => journal.find(id, IntentKind.Withdraw), skipMisfit)
    if (intent?.state !== IntentState.Done) return []
    const runId = runOf(intent)
    if (runId === undefined) return (await isUnseen(id, ports)) ? [stoppedPayout(intent, undefined)] : []
    return isBankPayout(intent) ? [stoppedPayout(intent, await findReadable(() => runs.find(runId), skipMisfit))] : []
  })
  return { stopped: found.flat(), isCutOff }
}

/** Whether its last execution has seen no end, and is over. Any other end is known, or for people. */
async function isUnseen(id: string, { findExecution }: LookAgainPorts): Promise<boolean> {
  const { kept } = await findLastEntry(id, (name) => findExecution(StateMachine.Withdraw, name))
  return kept !== undefined && (STOPPED_ENDS.has(kept.status) || kept.error === WithdrawEnd.Stuck)
}

/**
 * A run may have been settled while its payout was under way. Once the payout has ended, the run is settled again by
 * its end.
 */
function stoppedPayout(intent: WithdrawIntent, run: RunRecord | undefined): Stopped {
  const { intentId: id } = intent
  const isAwaited =
    run !== undefined && SETTLED_FOR_NOW.has(run.outcome) && run.results[id]?.outcome === WithdrawStep.Processing
  return {
    ...{ id, stateMachine: StateMachine.Withdraw, request: requestOf(intent), isLeg: runOf(intent) !== undefined },
    ends: runOf(intent) === undefined ? UNSEEN_ENDS : STOPPED_ENDS,
    followed: isAwaited ? { by: { ...stoppedRun(run), ends: ANY_END } } : {},
  }
}
