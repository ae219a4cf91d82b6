// Records a person's decision on a plan that waits: beside the run, with the person, the time and the reason. It starts
// nothing. A decided run continues or ends when it is entered again; go-on.ts then checks whether the approval's basis still
// holds.
import type { StandingDecision } from '../../contract/people.ts'
import { type Approval, type Requester, RunEnd } from '../../contract/runs.ts'
import { Refused } from '../../errors.ts'
import type { RunRecord } from '../record/run-record.ts'
import type { Runs } from '../record/runs.ts'
import type { AloneTerms } from './alone.ts'
import { findMisshown, recordedPlanHash } from './ask.ts'
import type { Decisions } from './decisions.ts'
import type { RecordedRequester, Requesters } from './requesters.ts'
import {
  type Decision,
  type DecisionState,
  type Disregard,
  decisionStateOf,
  disregardOf,
  findStanding,
  isPlanAboveTwo,
  type Rules,
} from './standing.ts'

export interface PlanDecision extends Decision {
  /** The plan that the person saw. */
  readonly planHash: string
}

/** Reads people's decisions and the requester of a run: all that is needed to let a run continue. */
export interface DecisionReaders {
  readonly decisions: Pick<Decisions, 'find'>
  readonly requesters: Pick<Requesters, 'find'>
}

/**
 * The run, if it waits for a person, with people's decisions on its plan. Changes nothing.
 * @throws Refused with the reason why it does not wait.
 * @throws Transient
 */
export async function findAwaiting(
  runId: string,
  { runs, ...readers }: DecisionReaders & { readonly runs: Pick<Runs, 'find'> },
): Promise<RunRecord> {
  const run = await runs.find(runId)
  if (!run) throw new Refused(`the journal has no run ${runId}`)
  if (run.outcome !== RunEnd.AwaitingApproval || run.approval === undefined) {
    throw new Refused(`run ${runId} is ${run.outcome}: it waits for nobody`)
  }
  return withDecisions(run, readers)
}

/**
 * Adds to a waiting run the hash of its plan, people's decisions on that plan, and its requester. The run's own record does not
 * count for these, because functions write it. Returns any other run unchanged.
 * @throws Transient, Defect
 */
export async function withDecisions(run: RunRecord, { decisions, requesters }: DecisionReaders): Promise<RunRecord> {
  const { approval, outcome, runId } = run
  if (outcome !== RunEnd.AwaitingApproval || approval === undefined) return run
  // The hash is made from the plan that is shown: with another hash in the record, people would approve another plan.
  const planHash = recordedPlanHash(run) ?? ''
  const [words, recorded] = await Promise.all([decisions.find(runId, planHash), requesters.find(runId)])
  return judged(run, { ...approval, planHash }, words, requesterOf(run, recorded))
}

/** The state of people's decisions on a run's plan, by the rules of its policy. `recorded`: the requester. */
export function decisionsOnRun(
  run: RunRecord,
  words: readonly Decision[],
  recorded: RecordedRequester | undefined,
): DecisionState {
  return decisionStateOf(words, rulesOf(run, requesterOf(run, recorded)))
}

/** Undefined where the recorded request is another: somebody else started this run under the same id. */
export function requesterOf(
  { requestHash }: RunRecord,
  recorded: RecordedRequester | undefined,
): Requester | undefined {
  if (recorded?.requestHash !== requestHash) return undefined
  const { kind, by, at } = recorded
  return { kind, by, at }
}

function judged(
  run: RunRecord,
  { planHash, expiresAt }: Approval,
  words: readonly Decision[],
  requester: Requester | undefined,
): RunRecord {
  const { decision, last, approvals, needed } = decisionStateOf(words, rulesOf(run, requester))
  return {
    ...run,
    approval: {
      ...{ planHash, expiresAt },
      ...(requester && { requester }),
      ...(decision !== undefined && last && { decision, by: last.by, because: last.because, at: last.at }),
      ...(needed > 1 && {
        needed,
        approvals: approvals.map(({ by, because, at, secondBecause }) => ({
          ...{ by, because, at },
          ...(secondBecause !== undefined && { secondBecause }),
        })),
      }),
    },
  }
}

function rulesOf({ asPlanned, plan }: RunRecord, requester: Requester | undefined): Rules {
  return { approval: asPlanned.approval, turnover: plan?.turnover ?? '0', requester }
}

/**
 * The approval of a waiting run from `findAwaiting`. `by`: the person, where known.
 * @throws Refused for another plan, after people have decided, after its time, and for a person whose approval would not count
 */
export function decidable(
  run: RunRecord,
  {
    planHash,
    decision,
    by,
    at,
  }: Pick<PlanDecision, 'planHash' | 'decision' | 'at'> & Partial<Pick<PlanDecision, 'by'>>,
): NonNullable<RunRecord['approval']> {
  const { runId, approval } = run
  if (approval === undefined || recordedPlanHash(run) !== planHash) {
    throw new Refused(`run ${runId} has another plan than you have seen; read it again`)
  }
  if (approval.decision !== undefined && approval.decision !== decision) {
    throw new Refused(`run ${runId} is already ${approval.decision} by ${approval.by}`)
  }
  // A rejection moves nothing, so it ends the wait at any time.
  const isLate = decision === 'approved' && Date.parse(at) >= Date.parse(approval.expiresAt)
  if (approval.decision === undefined && isLate) {
    throw new Refused(`the time to approve run ${runId} ended at ${approval.expiresAt}`)
  }
  const misshown = decision === 'approved' ? findMisshown(run) : undefined
  if (misshown !== undefined)
    throw new Refused(`run ${runId} shows other figures than it would move: ${misshown}; reject it`)
  const why =
    decision === 'approved' && by !== undefined ? disregardOf(by, rulesOf(run, approval.requester)) : undefined
  if (why !== undefined) {
    const text = DISREGARD_TEXTS[why](by ?? '', approval.requester?.by ?? '')
    throw new Refused(`run ${runId} cannot be approved so: ${text}`)
  }
  return approval
}

const DISREGARD_TEXTS: Readonly<Record<Disregard, (by: string, requester: string) => string>> = {
  'no approver': (by) => `${by} is not among the policy's approval.approvers`,
  requester: (_by, requester) =>
    `${requester} asked for it, and approval.requesterMayApprove is false; another person must approve it`,
  unrecorded: () =>
    'it has no recorded requester, and approval.requesterMayApprove is false; reject it, and ask again with `sluice run` under another id, or change the setting, which needs a new plan',
}

export interface DecidedRun {
  /** With people's decisions. */
  readonly run: RunRecord
  /** Present where nothing was recorded. */
  readonly before?: StandingDecision
}

/** The decision that stands already, so that the same one of this person is not recorded. Undefined where none does. */
export function findBefore(
  { decision: decided, approvals = [], by, at }: Approval,
  { decision, by: person }: Pick<Decision, 'decision' | 'by'>,
): StandingDecision | undefined {
  const settled = decided === decision && by !== undefined && at !== undefined ? { by, at } : undefined
  return findStanding(person, decision === 'approved' ? approvals : [], settled)
}

/**
 * Records the decision, unless the same one stands already.
 * @throws Refused where the run no longer waits, has another plan, is out of time, or was decided otherwise.
 * @throws Transient
 */
export async function decideApproval(
  runId: string,
  { planHash, ...word }: PlanDecision,
  ports: DecisionReaders & { readonly runs: Pick<Runs, 'find'>; readonly decisions: Decisions },
): Promise<DecidedRun> {
  const run = await findAwaiting(runId, ports)
  const approval = decidable(run, { planHash, ...word })
  const before = findBefore(approval, word)
  if (before !== undefined) return { run, before }
  const alone = word.decision === 'approved' ? aloneTermsOf(run) : undefined
  const words = await ports.decisions.add(runId, planHash, word, alone)
  return { run: judged(run, approval, words, approval.requester) }
}

/**
 * The terms under which one person alone may approve the plan of a run from `findAwaiting`. Undefined where the policy needs no
 * second person at any value, and where this plan needs a second person anyway.
 */
export function aloneTermsOf(run: RunRecord): AloneTerms | undefined {
  const { asPlanned, plan, approval } = run
  const { twoAbove } = asPlanned.approval ?? {}
  if (twoAbove === undefined || plan === undefined || isPlanAboveTwo(rulesOf(run, undefined))) return undefined
  if (approval?.approvals?.some(({ secondBecause }) => secondBecause !== undefined)) return undefined
  return { value: plan.turnover, asset: plan.valuationAsset, twoAbove }
}

/** Ends a run that people rejected. @throws Transient */
export function endDisapproved(run: RunRecord, runs: Pick<Runs, 'advance'>): Promise<RunRecord> {
  const { by, because, at } = run.approval ?? {}
  const why = `${by} said no: ${because}`
  return runs.advance(run, { approval: run.approval, outcome: RunEnd.Disapproved, endedAt: at, why })
}
