// Finds what the executions of a run prove, and what a rebuild writes for a lost run: an ended record without legs, so
// that no later entry plans it again. The executions of its legs say what these moved. Pure.
import { entryOf } from '../../core/contract/fields.ts'
import { RunEnd, type RunRequest, runRequest } from '../../core/contract/runs.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { fieldsOfRun, isAtEnd, mayBeginAgain, type RunRecord } from '../../core/runs/record/run-record.ts'
import type { EnteredExecution } from '../../place/executions/executions.ts'
import type { SeenRecord } from './evidence.ts'
import { type Finding, FindingKind, REBUILT } from './judge.ts'

export interface RunEvidence {
  readonly runId: string
  readonly request: RunRequest | undefined
  readonly startedAt: string
  readonly entry: number
  /** Whether a step answered a plan with legs. */
  readonly hadLegs: boolean
  /** The outcome of the last answer. */
  readonly outcome: string | undefined
  readonly isUnderWay: boolean
  readonly seen?: SeenRecord
}

/** @throws TypeError without an execution */
export function runEvidenceOf(runId: string, executions: readonly EnteredExecution[]): RunEvidence {
  const entered = executions.toSorted((left, right) => entryOf(left.name) - entryOf(right.name))
  const [first, last] = [entered[0], entered.at(-1)]
  if (first === undefined || last === undefined) throw new TypeError(`run ${runId} has no execution`)
  const answers = entered.flatMap(({ name, steps }) =>
    steps.flatMap((step) =>
      step.did === 'left' && step.output.runId === runId ? [{ ...step.output, execution: name, at: step.at }] : [],
    ),
  ) as readonly { outcome?: unknown; legs?: unknown; version?: unknown; execution: string; at: string }[]
  let seen: SeenRecord | undefined
  for (const { version, execution, at } of answers) {
    if (typeof version === 'number' && version > (seen?.version ?? 0)) seen = { version, execution, at }
  }
  const outcome = answers.at(-1)?.outcome
  return {
    runId,
    request: runRequest.safeParse(first.input).data,
    startedAt: entered.map(({ startedAt = '' }) => startedAt).toSorted()[0] ?? '',
    entry: entryOf(last.name),
    hadLegs: answers.some(({ legs }) => Array.isArray(legs) && legs.length > 0),
    outcome: typeof outcome === 'string' ? outcome : undefined,
    isUnderWay: entered.some(({ status }) => status === 'RUNNING'),
    ...(seen !== undefined && { seen }),
  }
}

/**
 * The evidence of an open run whose executions are unknown. It may have been planned, approved and carried out since.
 */
export function evidenceOfRunRecord({ entry, request, runId, startedAt }: RunRecord): RunEvidence {
  return { runId, request, startedAt, entry, hadLegs: true, outcome: undefined, isUnderWay: false }
}

export interface RunJudgement {
  readonly finding?: Omit<Finding, 'about'>
  /** The end that is written for a run that is lost or behind. */
  readonly end?: { readonly outcome: RunEnd; readonly why: string }
}

/** Ends at which nothing has moved under the run's id. A later entry may begin the run again. */
const MOVED_NOTHING: ReadonlySet<string> = new Set([
  RunEnd.Shadowed,
  RunEnd.Failed,
  RunEnd.Halted,
  RunEnd.Guarded,
  RunEnd.AlreadyRunning,
  RunEnd.AwaitingApproval,
  RunEnd.OwnFault,
])
/** Ends that are certain and final. */
const FINAL: Readonly<Record<string, RunEnd>> = {
  [RunEnd.Settled]: RunEnd.Settled,
  [RunEnd.PartlySettled]: RunEnd.PartlySettled,
  [RunEnd.NothingMoved]: RunEnd.NothingMoved,
  [RunEnd.NothingToDo]: RunEnd.NothingToDo,
  [RunEnd.OffTarget]: RunEnd.OffTarget,
  [RunEnd.Disapproved]: RunEnd.Disapproved,
  [RunEnd.ApprovalVoid]: RunEnd.ApprovalVoid,
}

export function judgeRun(evidence: RunEvidence, run: RunRecord | undefined, isSuspect: boolean): RunJudgement {
  const { hadLegs, outcome, seen } = evidence
  if (run === undefined) {
    const movedNothing = !hadLegs && (outcome === undefined || MOVED_NOTHING.has(outcome))
    if (movedNothing) return {}
    const message = 'its executions have planned it, and it is not in the journal'
    return { finding: { finding: FindingKind.Lost, message }, end: endOf(outcome) }
  }
  if (isAtEnd(run)) {
    // An end without legs was not the last end if the run was entered again since. A later entry would plan the run
    // once more.
    if (!hadLegs || !mayBeginAgain(run)) return {}
    const message = `it is ${run.outcome} without legs, and its executions have planned it`
    return { finding: { finding: FindingKind.Behind, message }, end: endOf(outcome) }
  }
  const sawMore = seen !== undefined && seen.version > run.version
  if (!sawMore && !(isSuspect && hadLegs)) return {}
  const message = sawMore
    ? `it is at version ${run.version}, and the execution ${seen.execution} of ${seen.at} saw version ${seen.version}`
    : `it is ${run.outcome} in a table that was restored or replaced, and its legs may have begun since`
  // With frozen legs, a run at another end is settled from its legs, and plans nothing.
  const end = run.phases.length > 0 ? { outcome: RunEnd.Failed, why: REBUILT } : endOf(outcome)
  return { finding: { finding: FindingKind.Behind, message }, end }
}

function endOf(outcome: string | undefined): { readonly outcome: RunEnd; readonly why: string } {
  const final = outcome === undefined ? undefined : FINAL[outcome]
  if (final !== undefined) return { outcome: final, why: `${REBUILT}: they ended it so` }
  return { outcome: RunEnd.NeedsAttention, why: `${REBUILT}: its legs are intents of their own, and tell what moved` }
}

/** Whether no later entry begins it again, or plans more of it. */
export function isFinalRun(run: RunRecord): boolean {
  return isAtEnd(run) && (FINAL[run.outcome] !== undefined || run.phases.length > 0)
}

/** The record of a run that may have continued since, at an end that plans nothing. */
export function closedRunRecord(record: StoredRecord, run: RunRecord): StoredRecord {
  const outcome = run.phases.length > 0 ? RunEnd.Failed : RunEnd.NeedsAttention
  return { ...record, ...fieldsOfRun({ ...run, outcome, why: REBUILT, endedAt: run.startedAt }) }
}
