// Defines the input that a state machine passes to the planning of its runs, and makes the answers that the machine
// gets. It decides nothing.
import { entryName, intentIdOf } from '../../contract/fields.ts'
import type { PayeeFacts } from '../../contract/payee.ts'
import { MOST_LEGS, type PlanLeg } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { type PlanOutput, type RunEnd, RunStep, type StartLeg } from '../../contract/runs.ts'
import type { Snapshot } from '../../planning/market/snapshot.ts'
import type { Planned, Replanner } from '../../planning/planner.ts'
import { type FrozenPhase, legOf, legRequest, RUNNING, type RunRecord } from '../record/run-record.ts'
import { bytesOf } from '../record/trimming.ts'

export interface Planning {
  /** Whether this state machine carries out runs of the policy. */
  takes(policy: Policy): boolean
  plan(name: string, policy: Policy, snapshot: Snapshot): Planned
  readonly replan: Replanner
  /** Whether the machine asks for the next part of a phase that one answer has no room for. */
  readonly answersInParts: boolean
  /** The machine's next step with these legs. @throws Defect for legs that cannot go together */
  stepOf(legs: readonly PlanLeg[], isLast: boolean): RunStep
}

export interface Entry {
  /** The phase whose legs the step needs. */
  readonly phase: number
  /** The part of the phase's legs, counted from 1: a long phase is answered in parts. */
  readonly part: number
  /** Number of the run's execution, from 1: each execution starts its own children for the same intents. */
  readonly entry: number
  readonly planning: Planning
}

/** The answer for a run that stops for now, or that was refused before the journal knew it. */
export function endAnswer(runId: string, phase: number, outcome: RunEnd | RunStep, why?: string): PlanOutput {
  return { outcome, runId, legs: [], phase, ...(why !== undefined && { why }) }
}

/** The same answer for a run in the journal. It adds the policy and its kind. */
export function endAnswerOf(
  { runId, policy, kind }: RunRecord,
  phase: number,
  outcome: RunEnd | RunStep,
  why?: string,
): PlanOutput {
  return { ...endAnswer(runId, phase, outcome, why), policy, kind }
}

/** The answer with the recorded end. @throws TypeError for a run under way, which is a programming error */
export function recordedEnd(run: RunRecord, phase: number): PlanOutput {
  const { runId, outcome, tripped, why } = run
  if (outcome === RUNNING) throw new TypeError(`run ${runId} is under way`)
  return { ...endAnswerOf(run, phase, outcome, why), ...(tripped !== undefined && { tripped }) }
}

/** The answer without further legs: the run has to be settled. */
export function settleAnswer(run: RunRecord, phase: number): PlanOutput {
  return endAnswerOf(run, phase, RunStep.Settle)
}

/** Bytes of UTF-8 that Step Functions takes as the input or output of a state. */
const MOST_STATE_BYTES = 256 * 1024
/** Bytes of a state for the other fields of an answer, the names of a step's input, and what separates legs. */
const OTHER_BYTES = 16 * 1024
/** Maximum legs of one answer in a phase that needs several. */
const LEGS_OF_PART = 100

interface Part {
  readonly legs: StartLeg[]
  /** By contact id: the payee of the part's first leg to the contact. */
  readonly payees: Map<string, PayeeFacts>
}

/**
 * The legs of a frozen phase, in parts that fit one state beside the run's request. The parts follow from the record alone:
 * they are the same at every call of an execution.
 */
export function partsOf(
  run: RunRecord,
  { legs: frozen }: FrozenPhase,
  { entry, planning }: Pick<Entry, 'entry' | 'planning'>,
): readonly Part[] {
  const legs = frozen.map((each) => ({ leg: legOf(run, each), name: entryName(each.intentId, entry) }))
  const mostLegs = legs.length > MOST_LEGS ? LEGS_OF_PART : MOST_LEGS
  const mostBytes = MOST_STATE_BYTES - OTHER_BYTES - bytesOf(run.request)
  const parts: Part[] = []
  let bytes = 0
  for (const { leg, name } of legs) {
    const start = { name, request: legRequest(run, leg) }
    const payee = 'payee' in leg ? leg.payee : undefined
    const added = (to: Part | undefined) =>
      bytesOf(start) + (payee === undefined || to?.payees.has(payee.contactId) ? 0 : bytesOf(payee))
    let part = parts.at(-1)
    const isFull = part && (part.legs.length >= mostLegs || bytes + added(part) > mostBytes)
    if (part === undefined || (isFull && planning.answersInParts)) {
      part = { legs: [], payees: new Map() }
      parts.push(part)
      bytes = 0
    }
    bytes += added(part)
    part.legs.push(start)
    if (payee !== undefined && !part.payees.has(payee.contactId)) part.payees.set(payee.contactId, payee)
  }
  return parts
}

/** The answer with a part of a phase's legs: each is the input of a child execution. */
export function legsAnswer(
  run: RunRecord,
  { legs, payees }: Part,
  { phase, part, parts }: { readonly phase: number; readonly part: number; readonly parts: number },
  outcome: RunStep,
): PlanOutput {
  return {
    outcome,
    runId: run.runId,
    policy: run.policy,
    kind: run.kind,
    phase,
    ...(parts > 1 && { part, parts }),
    // A row that is left to another run is never begun.
    legs: legs.filter(({ name }) => run.results[intentIdOf(name)]?.begunBy === undefined),
    ...(payees.size > 0 && { payees: [...payees.values()] }),
  }
}
