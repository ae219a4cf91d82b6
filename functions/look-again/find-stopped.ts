// Finds in the journal what the machine may enter again without a person's decision. These are intents that were sent
// and are not settled, intents that wait for a key within their time, and runs with frozen legs that nobody continues.
// A run enters its own legs, so a leg is found through its run. Also finds runs whose wait for people is over, and
// that nobody has entered since. Reads only the journal.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { IntentState, listing } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { MACHINE_OF_INTENTS, type StateMachine } from '../../core/contract/states.ts'
import { fenceOf, policyOf, requestOf, runOf } from '../../core/journal/entering.ts'
import { type Intent, isOpened } from '../../core/journal/intent.ts'
import { findReadable, MOST_OPEN, readNamed, readOpenIntents } from '../../core/journal/listed-records.ts'
import { machineOf } from '../../core/policies/kinds.ts'
import { withDecisions } from '../../core/runs/approval/decision.ts'
import { endOfWait } from '../../core/runs/approval/end-of-wait.ts'
import { findQuietHours } from '../../core/runs/plan/obstacle.ts'
import { RUNNING, type RunRecord } from '../../core/runs/record/run-record.ts'
import type { LookAgainPorts } from './ports.ts'

/**
 * Milliseconds after the time of an unarmed leg or of its run, after which no process arms it any more, even with an older
 * reading of the clock. It holds its policy until an entry has ended it.
 */
const OVERDUE_MS = 300_000

/** An intent or a run that may be entered again, as far as the journal knows. */
export interface Stopped {
  readonly id: string
  readonly stateMachine: StateMachine
  /** Its original request; `undefined` where its record does not hold the request literally. */
  readonly request: object | undefined
  /** Whether its executions are named by the entries of a run. */
  readonly isLeg?: boolean
  /**
   * Statuses of the last execution after which it may be entered again. A person who stops an execution (ABORTED) has a
   * reason, and enters it again by hand while it could still send.
   */
  readonly ends: ReadonlySet<string>
  /** Whether it is due at once, without a wait after its last entry. */
  readonly isUrgent?: boolean
  /**
   * For a proven movement that was only polled: an execution that SUCCEEDED has seen its end, and then `by` is entered.
   */
  readonly followed?: { readonly by?: Stopped }
}

export interface Open {
  readonly intents: readonly Intent[]
  readonly runs: readonly RunRecord[]
  /** Runs whose plan waits for people, or has been decided. */
  readonly awaiting: readonly RunRecord[]
  readonly isCutOff: boolean
}

/** Any status but ABORTED: a new entry settles the doubt. */
const ANY_END = new Set(['SUCCEEDED', 'FAILED', 'TIMED_OUT'])
/** For an intent or a run that can send nothing any more. A new entry only ends it, and so frees its lane and its policy. */
const ANY_END_OR_STOPPED = new Set([...ANY_END, 'ABORTED'])
/** For an intent that has sent nothing: an execution that failed with a named error, which called a person. */
const BY_A_NAMED_END = new Set(['FAILED'])

/** Skips a record that does not fit. The audit and people's lists report it. */
export const skipMisfit = () => undefined

/** Finds open intents and runs by the journal's index. A record that does not fit hides no other. */
export async function findOpen({ list, journal, runs }: LookAgainPorts): Promise<Open> {
  const open = await readOpenIntents({ list, journal }, { onMisfit: skipMisfit })
  const openRuns = await list(listing.openRuns, MOST_OPEN)
  const intents = open.intents.filter(({ state }) => state === IntentState.Armed || state === IntentState.Ready)
  // Runs whose execution failed are listed as open. Runs that ended with a leg in doubt are known through the leg.
  const ofLegs = intents.filter(({ state }) => state === IntentState.Armed).flatMap((intent) => runOf(intent) ?? [])
  const known = await readNamed([...new Set([...openRuns.names, ...ofLegs])], (id) => runs.find(id), skipMisfit)
  const awaiting = known.filter(({ outcome }) => outcome === RunEnd.AwaitingApproval)
  return {
    intents,
    runs: known.filter(
      ({ outcome, phases }) => phases.length > 0 && (outcome === RUNNING || outcome === RunEnd.NeedsAttention),
    ),
    awaiting,
    isCutOff: open.lookedAtUpTo !== undefined || openRuns.isCutOff,
  }
}

/**
 * `nowMs`, `reachedMs`: service time. Skips intents that are halted and have sent nothing, because they would only
 * wait.
 */
export async function stoppedOf(
  { intents, runs }: Open,
  { nowMs, reachedMs }: { readonly nowMs: number; readonly reachedMs: number },
  { halts, timing }: LookAgainPorts,
): Promise<readonly Stopped[]> {
  const runIds = new Set(runs.map(({ runId }) => runId))
  const isPastFence = (intent: Intent) => isOpened(intent) && reachedMs > fenceOf(intent, timing)
  const armed = intents.filter((intent) => intent.state === IntentState.Armed && isPastFence(intent))
  const unsent = await mapBounded(intents, READS_AT_ONCE, async (intent) => {
    if (intent.state !== IntentState.Ready || runOf(intent) !== undefined) return []
    if (nowMs >= Date.parse(intent.notAfter)) return []
    return (await halts.find(policyOf(intent))) === undefined ? [intent] : []
  })
  const isOver = ({ notAfter }: Pick<Intent, 'notAfter'>) => reachedMs >= Date.parse(notAfter) + OVERDUE_MS
  // A run examines all of its legs. A leg before its fence need not delay it, because the leg waits for its own fence.
  const overdue = intents.filter(
    (intent) =>
      intent.state === IntentState.Ready &&
      runOf(intent) !== undefined &&
      !runIds.has(runOf(intent) ?? '') &&
      isOver(intent),
  )
  return [
    ...overdue.map((intent) => stoppedIntent(intent, ANY_END_OR_STOPPED)),
    ...armed.filter((intent) => !runIds.has(runOf(intent) ?? '')).map((intent) => stoppedIntent(intent, ANY_END)),
    ...unsent.flat().map((intent) => stoppedIntent(intent, BY_A_NAMED_END)),
    ...runs.map((run) => ({ ...stoppedRun(run), ...(isOver(run) && { ends: ANY_END_OR_STOPPED }) })),
  ]
}

function stoppedIntent(intent: Intent, ends: ReadonlySet<string>): Stopped {
  const { intentId: id, kind } = intent
  const isLeg = runOf(intent) !== undefined
  return { id, stateMachine: MACHINE_OF_INTENTS[kind], request: requestOf(intent), ends, isLeg }
}

export function stoppedRun({ runId, asPlanned, request }: RunRecord): Stopped {
  const stateMachine = machineOf(asPlanned)
  return { id: runId, stateMachine, request, ends: ANY_END }
}

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
  { halts, treasury, ...heard }: LookAgainPorts,
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
