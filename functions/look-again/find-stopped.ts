// Finds in the journal what may be entered again without anybody's word: intents that were sent and are not settled, those
// that wait for a key within their time, and runs of policies with legs frozen that nobody carries on. A run enters its
// own legs, so a leg is found as its run. Reads the journal alone.
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { IntentKind, IntentState, listing } from '../../core/contract/records.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { MACHINE_OF_INTENTS, type StateMachine } from '../../core/contract/states.ts'
import { fenceOf, requestOf, runOf } from '../../core/journal/entering.ts'
import { findHaltOf } from '../../core/journal/halts.ts'
import { type Intent, isOpened } from '../../core/journal/intent.ts'
import { MOST_OPEN, readNamed, readOpenIntents } from '../../core/journal/listed-records.ts'
import { machineOf } from '../../core/policies/kinds.ts'
import { RUNNING, type RunRecord } from '../../core/runs/record/run-record.ts'
import type { LookAgainPorts } from './ports.ts'

/**
 * So long after its time a withdrawal that is not armed never will be: whoever read the clock before has stopped by then.
 * Planners count such a leg of a run that they settle as not sent, and may not end it.
 */
const OVERDUE_MS = 300_000

/** Something that may be entered again, as far as the journal knows. */
export interface Stopped {
  readonly id: string
  readonly stateMachine: StateMachine
  /** What it was asked for with; undefined where its record does not hold that to the letter. */
  readonly request: object | undefined
  /** Whether its executions are called by the entries of a run. */
  readonly isLeg?: boolean
  /** How its last execution may have ended. Who stopped one (ABORTED) had a reason, and enters it again by hand. */
  readonly ends: ReadonlySet<string>
  /** Of a movement that is proven and was only to be followed: an execution that SUCCEEDED has seen its end, and then goes this. */
  readonly followed?: { readonly by?: Stopped }
}

export interface Open {
  readonly intents: readonly Intent[]
  readonly runs: readonly RunRecord[]
  readonly isCutOff: boolean
}

/** Whatever its machine came to: a look settles what is in doubt. */
const ANY_END = new Set(['SUCCEEDED', 'FAILED', 'TIMED_OUT'])
/** Nothing of it can be sent any more: to enter it only ends it, and so frees its lane. */
const ANY_END_OR_STOPPED = new Set([...ANY_END, 'ABORTED'])
/** Of one that has sent nothing: a named end that called a person. */
const BY_A_NAMED_END = new Set(['FAILED'])

/** Nothing is done: the audit tells of a record that does not fit, and people's lists do. */
export const leaveOut = () => undefined

/** Finds by the journal's index what waits with the machine or a person. A record that does not fit hides none of the others. */
export async function findOpen({
  list,
  journal,
  runs,
}: Pick<LookAgainPorts, 'list' | 'journal' | 'runs'>): Promise<Open> {
  const open = await readOpenIntents({ list, journal }, { onMisfit: leaveOut })
  const openRuns = await list(listing.openRuns, MOST_OPEN)
  const intents = open.intents.filter(({ state }) => state === IntentState.Armed || state === IntentState.Ready)
  // Those whose execution failed are listed as open; those that ended with a leg in doubt are known by the leg.
  const ofLegs = intents.filter(({ state }) => state === IntentState.Armed).flatMap((intent) => runOf(intent) ?? [])
  const known = await readNamed([...new Set([...openRuns.names, ...ofLegs])], (id) => runs.find(id), leaveOut)
  return { intents, runs: known.filter(isUnsettled), isCutOff: open.lookedAtUpTo !== undefined || openRuns.isCutOff }
}

/** `nowMs`, `reachedMs`: service time. What is halted and has sent nothing would only wait: it is left as it is. */
export async function stoppedOf(
  { intents, runs }: Open,
  { nowMs, reachedMs }: { readonly nowMs: number; readonly reachedMs: number },
  { halts, timing }: Pick<LookAgainPorts, 'halts' | 'timing'>,
): Promise<readonly Stopped[]> {
  const runIds = new Set(runs.map(({ runId }) => runId))
  const isPastFence = (intent: Intent) => isOpened(intent) && reachedMs > fenceOf(intent, timing)
  const armed = intents.filter((intent) => intent.state === IntentState.Armed && isPastFence(intent))
  const unsent = await mapBounded(intents, READS_AT_ONCE, async (intent) => {
    if (intent.state !== IntentState.Ready || runOf(intent) !== undefined) return []
    if (nowMs >= Date.parse(intent.notAfter)) return []
    return (await findHaltOf(intent, halts)) === undefined ? [intent] : []
  })
  // A run looks at all of its legs. One of them before its fence is no reason to wait: the leg waits for it by itself.
  const overdue = intents.filter(
    (intent) =>
      intent.kind === IntentKind.Withdraw &&
      intent.state === IntentState.Ready &&
      runOf(intent) !== undefined &&
      !runIds.has(runOf(intent) ?? '') &&
      reachedMs >= Date.parse(intent.notAfter) + OVERDUE_MS,
  )
  return [
    ...overdue.map((intent) => ofIntent(intent, ANY_END_OR_STOPPED)),
    ...armed.filter((intent) => !runIds.has(runOf(intent) ?? '')).map((intent) => ofIntent(intent, ANY_END)),
    ...unsent.flat().map((intent) => ofIntent(intent, BY_A_NAMED_END)),
    ...runs.map(ofRun),
  ]
}

function isUnsettled({ outcome, phases }: RunRecord): boolean {
  return phases.length > 0 && (outcome === RUNNING || outcome === RunEnd.NeedsAttention)
}

function ofIntent(intent: Intent, ends: ReadonlySet<string>): Stopped {
  const { intentId: id, kind } = intent
  const isLeg = runOf(intent) !== undefined
  return { id, stateMachine: MACHINE_OF_INTENTS[kind], request: requestOf(intent), ends, isLeg }
}

export function ofRun({ runId, asPlanned, request }: RunRecord): Stopped {
  const stateMachine = machineOf(asPlanned)
  return { id: runId, stateMachine, request, ends: ANY_END }
}
