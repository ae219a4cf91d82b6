// Defines the input that a state machine passes to the planning of its runs, and makes the answers that the machine
// gets. It decides nothing.
import { entryName } from '../../contract/fields.ts'
import type { PayeeFacts } from '../../contract/payee.ts'
import { MOST_LEGS, type PlanLeg } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { type PlanOutput, type RunEnd, RunStep } from '../../contract/runs.ts'
import type { Snapshot } from '../../planning/market/snapshot.ts'
import type { Planned, Replanner } from '../../planning/planner.ts'
import { type FrozenPhase, legOf, legRequest, RUNNING, type RunRecord } from '../record/run-record.ts'

export interface Planning {
  /** Whether this state machine carries out runs of the policy. */
  takes(policy: Policy): boolean
  plan(name: string, policy: Policy, snapshot: Snapshot): Planned
  readonly replan: Replanner
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
  { runId, policy, kind }: Pick<RunRecord, 'runId' | 'policy' | 'kind'>,
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

/** The legs of a phase that one answer has room for: a state of Step Functions holds 256 KB. */
const MOST_LEGS_OF_ANSWER = MOST_LEGS
/** Legs of each part of a longer phase. */
const LEGS_OF_PART = 100

/** Number of the answers that have all legs of the phase. */
export function partsOf({ legs }: Pick<FrozenPhase, 'legs'>): number {
  return legs.length <= MOST_LEGS_OF_ANSWER ? 1 : Math.ceil(legs.length / LEGS_OF_PART)
}

/** The answer with the legs of a frozen phase, or a part of them: each is the input of a child execution. */
export function legsAnswer(
  run: RunRecord,
  frozen: FrozenPhase,
  outcome: RunStep,
  { entry, part }: Pick<Entry, 'entry' | 'part'>,
): PlanOutput {
  const parts = partsOf(frozen)
  const own = parts === 1 ? frozen.legs : frozen.legs.slice((part - 1) * LEGS_OF_PART, part * LEGS_OF_PART)
  const byKey = new Map(run.plan?.legs.map((leg) => [leg.key, leg]))
  const legs = own.map((each) => ({
    intentId: each.intentId,
    leg: each.leg ?? byKey.get(each.key) ?? legOf(run, each),
  }))
  const payees = payeesOf(legs.map(({ leg }) => leg))
  return {
    outcome,
    runId: run.runId,
    policy: run.policy,
    kind: run.kind,
    phase: frozen.phase,
    ...(parts > 1 && { part, parts }),
    legs: legs.map(({ intentId, leg }) => ({ name: entryName(intentId, entry), request: legRequest(run, leg) })),
    ...(payees.size > 0 && { payees: [...payees.values()] }),
  }
}

/** By contact id: the payee of the first leg to the contact. */
function payeesOf(legs: readonly PlanLeg[]): ReadonlyMap<string, PayeeFacts> {
  const payees = new Map<string, PayeeFacts>()
  for (const leg of legs) {
    if ('payee' in leg && leg.payee !== undefined && !payees.has(leg.contactId)) payees.set(leg.contactId, leg.payee)
  }
  return payees
}
