// Takes a person's decision on the plan that a run waits with, or on the terms of one movement. It shows the plan with
// its hash first, and records who decided, when and why. An approved run continues at once: with a state directory
// until it ends; on AWS the deployed function records the decision, under the identity that signed, and enters the run.

import { intentId } from '../../core/contract/fields.ts'
import type { DecideAnswer } from '../../core/contract/people.ts'
import type { IntentKind } from '../../core/contract/records.ts'
import { RunEnd, type RunReport, type RunRequest } from '../../core/contract/runs.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { Refused } from '../../core/errors.ts'
import { printable } from '../../core/printable.ts'
import {
  aloneTermsOf,
  type DecidedRun,
  decidable,
  decideApproval,
  endDisapproved,
  findAwaiting,
  findBefore,
} from '../../core/runs/approval/decision.ts'
import { type RunRecord, reportOfRun } from '../../core/runs/record/run-record.ts'
import type { Runs } from '../../core/runs/record/runs.ts'
import { assertHoldsAtDesk, type NamedService } from '../../place/configuration.ts'
import type { Consent, WithConsent } from '../../place/consent.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import { readReason, readWho } from '../../place/decider.ts'
import { withWhatMoved } from '../../place/desk/what-moved.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { type JournalConnection, serviceOf, withJournalConnection } from '../../place/journal-connection.ts'
import { findPolicy, findRun, keyRolesOf, verbOf } from '../../place/named-policy.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { failedWith, OperationError, unfit } from '../../place/operation-error.ts'
import { findPlace, noteServiceAt, type Place, readKeys } from '../../place/place.ts'
import { isOnAws } from '../../place/settings.ts'
import { exitCodeOf } from '../run-exit-code.ts'
import { aloneNote, alreadyText, type Before, beforeOf } from '../words/approvals-text.ts'
import { type DecidedMovement, type Decision, type Examined, examineMovement, findKindOf } from './decide-movement.ts'
import type { Watch } from './execution-events.ts'
import { type PolicyRunResult, policyOperations } from './policy-run.ts'
import { runReporting } from './run-to-end.ts'
import { assertHolds, type PlanSources } from './stale.ts'

/** Who decides, why, and on which plan. */
export interface DecisionInput {
  readonly because?: string
  readonly by?: string
  /** Decides only if the plan has this hash. */
  readonly planHash?: string
  /** For one movement: decides only if the terms have this hash. */
  readonly termsHash?: string
}

/** Functions of the caller with which a decision asks the person, and shows the plan and the progress. */
export interface DecisionCallbacks {
  readonly withConsent: WithConsent
  /** Shows the plan before the question. Absent where a page has shown it. */
  readonly showPlan?: (report: RunReport) => void
  /** Shows the events of the continued run as progress. */
  readonly watch: Watch<RunRequest>
  readonly beginProgress: () => Progress
  /** Called once the decision on a plan in this state directory is written, before its run continues. */
  readonly onRecorded?: () => void
}

/** The result of a decision, and the exit code of the command. */
export type Decided = DecidedEnd & {
  /** Present where nothing was recorded, because this decision stands already. */
  readonly before?: Before
}

type DecidedEnd = { readonly exitCode: ExitCode } & (
  | { readonly end: 'movement decided'; readonly movement: DecidedMovement }
  /** Approved, and another person must approve it too. */
  | { readonly end: 'needs another person'; readonly run: RunRecord }
  /** Approved, and the run continued to its end. */
  | { readonly end: 'run ended'; readonly result: PolicyRunResult; readonly request: RunRequest }
  | { readonly end: 'rejected'; readonly run: RunRecord }
  | { readonly end: 'answered'; readonly runId: string; readonly answer: DecideAnswer }
  /** On AWS: the same decision was recorded before, and this is the run now. */
  | { readonly end: 'decided before'; readonly run: RunRecord }
)

const DECISIONS = { approve: 'approved', reject: 'rejected' } as const

/**
 * Records the decision. A rejection ends a run. An approved run continues, and this ends as the run does. If the decision was
 * recorded earlier, the call continues the run, or returns its result.
 * @throws OperationError: exit 2 for wrong usage; exit 1 where the run no longer waits. Also throws what `withConsent`
 * throws.
 */
export async function decide(
  verb: keyof typeof DECISIONS,
  id: string,
  given: DecisionInput,
  flags: ConnectionFlags,
  callbacks: DecisionCallbacks,
  context: OperationContext,
): Promise<Decided> {
  const asked = readDecision(DECISIONS[verb], id, given, flags, context)
  const kind = intentId.safeParse(id).success
    ? await withJournalConnection(flags, context, (connection) => findKindOf(id, connection))
    : undefined
  assertHashFits(id, kind, given)
  if (kind !== undefined) {
    const examine: Examine<DecidedMovement> = (connection, consent) =>
      examineMovement({ ...asked, kind }, connection, consent, context)
    const movement = await agree({ ...asked, kind }, examine, callbacks, context)
    const exitCode = movement.missing > 0 ? ExitCode.AwaitsApproval : ExitCode.Done
    return { end: 'movement decided', movement, ...beforeOf(movement.before, movement), exitCode }
  }
  const isAws = isOnAws(flags)
  if (isAws || verb === 'reject') return endOf(asked, await decideOnPlan(asked, undefined, callbacks, context))
  // If an earlier command was cut off, legs may have moved already.
  const withEvidence = async (error: unknown): Promise<never> => {
    // The journal itself says that the run no longer waits.
    if (error instanceof OperationError && error.code === 'refused') throw error
    throw await withWhatMoved(error, { intentId: id, flags, again: { do: 'approve', id } as const }, context)
  }
  const setup = await setUp(asked, context).catch(withEvidence)
  const decided = await decideOnPlan(asked, setup.service, callbacks, context).catch(withEvidence)
  callbacks.onRecorded?.()
  const { run } = decided
  const before = beforeOf(decided.before, asked)
  if (isShort(run)) return { end: 'needs another person', run, ...before, exitCode: ExitCode.AwaitsApproval }
  return { ...(await continueRun(run, setup, callbacks)), ...before }
}

/** The end of a rejection, and of every decision on AWS, where the function continues the run. */
function endOf(asked: Decision, { run, answer, before }: DecidedPlan): Decided {
  const { decision, flags, id } = asked
  if (answer !== undefined) {
    const exitCode = answer.outcome === 'WAITS' ? ExitCode.AwaitsApproval : ExitCode.Done
    const stands = beforeOf(answer.before, { decision, by: answer.by })
    return { end: 'answered', runId: answer.run ?? id, answer, ...stands, exitCode }
  }
  const stands = beforeOf(before, asked)
  if (!isOnAws(flags)) return { end: 'rejected', run, ...stands, exitCode: ExitCode.Done }
  return { end: 'decided before', run, ...stands, exitCode: decision === 'rejected' ? ExitCode.Done : exitCodeOf(run) }
}

type Examine<Recorded> = (connection: JournalConnection, consent: Consent) => Promise<Examined<Recorded>>

/** Records what the person agrees to. The terms are examined again after the answer, because a person may have taken an hour. */
function agree<Recorded>(
  asked: Decision,
  examine: Examine<Recorded>,
  { withConsent }: DecisionCallbacks,
  context: OperationContext,
  asksService = false,
): Promise<Recorded> {
  const decideAt = (consent: Consent) => async (connection: JournalConnection) => {
    const { question, record } = await examine(connection, consent)
    if (question !== undefined) consent.to(question)
    return record()
  }
  return withConsent((consent) =>
    withJournalConnection(asked.flags, context, decideAt(consent), { asksService }).catch(refuse(asked)),
  )
}

function decideOnPlan(
  asked: Decision,
  service: NamedService | undefined,
  callbacks: DecisionCallbacks,
  context: OperationContext,
): Promise<DecidedPlan> {
  const { flags } = asked
  const examine: Examine<DecidedPlan> = (connection, consent) =>
    examinePlan(asked, { connection, service, flags }, consent, callbacks, context)
  return agree(asked, examine, callbacks, context, asked.decision === 'approved' && !isOnAws(flags))
}

/** A hash of the other kind would bind the decision to nothing. `kind`: undefined for a run. */
function assertHashFits(id: string, kind: IntentKind | undefined, { planHash, termsHash }: DecisionInput): void {
  const [misfit, option, other, what] =
    kind === undefined
      ? [termsHash, 'terms-hash', 'plan-hash', 'a run, whose plan has a hash']
      : [planHash, 'plan-hash', 'terms-hash', 'a movement, whose terms have a hash']
  if (misfit === undefined) return
  const problem = `expected none for ${printable(id)}, which is ${what}; got one`
  throw unfit(option, problem, `give --${other} instead, as it was shown`)
}

/**
 * Whether the plan may be approved now, as `decide` examines it before it asks. It records nothing, and continues no run.
 * False where this decision stands already.
 * @throws OperationError where the plan may not be approved, as `decide` does
 */
export async function mayApprove(
  id: string,
  who: Pick<DecisionInput, 'by'>,
  flags: ConnectionFlags,
  context: OperationContext,
): Promise<boolean> {
  const by = readWho({ ...flags, ...who }, context.variables)
  const asked = { id, decision: 'approved', by, because: '', hash: undefined, flags } as const
  const isAws = isOnAws(flags)
  const service = isAws ? undefined : (await setUp(asked, context)).service
  const { question, run } = await withJournalConnection(
    flags,
    context,
    (connection) => examinePlan(asked, { connection, service, flags }, UNASKED, {}, context),
    { asksService: !isAws },
  ).catch(refuse(asked))
  const given = isShort(run) ? (run.approval?.approvals ?? []).map((each) => each.by) : []
  const already = question === undefined ? alreadyText(by, given) : undefined
  if (already !== undefined) context.output.note(already)
  return question !== undefined
}

const UNASKED: Pick<Consent, 'isGiven'> = { isGiven: () => false }

/** Checks everything that the run continues with, before the decision is recorded. */
async function setUp({ id, flags }: Decision, context: OperationContext): Promise<Setup> {
  const place = findPlace(flags, context)
  const treasury = await place.treasury()
  const waiting = await withJournalConnection(flags, context, (connection) => findRun(id, connection))
  const { request } = waiting
  const policy = typeof request.policy === 'string' ? findPolicy(request.policy, treasury, 'policy') : request.policy
  if (typeof request.policy !== 'string') assertHoldsAtDesk(treasury, policy)
  const service = await readKeys(place, keyRolesOf(policy))
  return { place, treasury, service }
}

/** Whether the run is approved, but by too few people. */
function isShort({ outcome, approval }: RunRecord): boolean {
  return outcome === RunEnd.AwaitingApproval && approval?.decision === undefined
}

function readDecision(
  decision: Decision['decision'],
  id: string,
  given: DecisionInput,
  flags: ConnectionFlags,
  { variables }: OperationContext,
): Decision {
  const by = readWho({ ...flags, ...given }, variables)
  return { decision, id, flags, by, because: readReason(given.because), hash: given.planHash ?? given.termsHash }
}

interface DecidedPlan extends DecidedRun {
  /** On AWS, where the function records the decision, and enters the run once enough people have decided. */
  readonly answer?: DecideAnswer
}

/** Shows the plan where the person has not seen it yet. It records nothing. */
async function examinePlan(
  { id, decision, by, because, flags, hash: asked }: Decision,
  sources: PlanSources,
  consent: Pick<Consent, 'isGiven'>,
  { showPlan }: Pick<DecisionCallbacks, 'showPlan'>,
  context: OperationContext,
): Promise<Examined<DecidedPlan> & { readonly run: RunRecord }> {
  const { output } = context
  const { decisions, requesters, runJournal, treasury, door } = sources.connection
  const { runs } = runJournal
  const isApproval = decision === 'approved'
  // A rejection ends the run at once. An approved run continues only when it is entered again.
  const ended = async (decided: DecidedRun) =>
    door === undefined ? { ...decided, run: await endedBy(decided.run, runs) } : decided
  const standing = (decided: DecidedRun) => ({ question: undefined, run: decided.run, record: () => ended(decided) })
  const known = await runs.find(id)
  // The same decision on this plan was recorded before. The answer is the state of the run.
  const isSamePlan = asked === undefined || asked === known?.approval?.planHash
  const isOver = known?.outcome !== RunEnd.AwaitingApproval
  // On AWS the function is called again, and enters a run that has not continued.
  const settled = isSamePlan && (isOver || door === undefined) ? known?.approval : undefined
  const settledBefore = settled?.decision && findBefore(settled, { decision, by })
  if (known !== undefined && settledBefore) return standing({ run: known, before: settledBefore })
  const run = await findAwaiting(id, { runs, decisions, requesters })
  const planHash = asked ?? run.approval?.planHash ?? ''
  // Nobody is asked about a plan that can no longer be decided on, or no longer holds.
  const approval = decidable(run, { planHash, decision, at: timeIn(context), ...(by !== '' && { by }) })
  const before = door !== undefined ? undefined : findBefore(approval, { decision, by })
  if (before !== undefined) return standing({ run, before })
  const question = `${isApproval ? 'approve' : 'reject'} plan ${printable(planHash)} of run ${id}?`
  const isShown = consent.isGiven(question)
  if (isApproval && !isShown) noteServiceAt(output, { flags, treasury }, serviceOf(flags, context.variables))
  if (isApproval) await assertHolds(run, sources, context)
  if (!isShown) showPlan?.(reportOfRun(run))
  const alone = isApproval ? aloneTermsOf(run) : undefined
  if (alone !== undefined && !isShown) {
    const who = { by, at: timeIn(context) }
    const findWhy = by === '' ? undefined : () => decisions.findWhySecond(id, planHash, who, alone)
    output.note(await aloneNote(alone, findWhy))
  }
  const record = async () => {
    if (door !== undefined) return { run, answer: await door.decide({ run: id, decision, planHash, because }) }
    const said = { decision, by, because, planHash, at: timeIn(context) }
    return ended(await decideApproval(id, said, { runs, decisions, requesters }))
  }
  return { question, run, record }
}

function timeIn({ clock }: OperationContext): string {
  return new Date(clock.nowMs()).toISOString()
}

/** A rejection ends the run at once. An approved run continues only when it is entered again. */
async function endedBy(run: RunRecord, runs: Pick<Runs, 'advance'>): Promise<RunRecord> {
  const isRefused = run.outcome === RunEnd.AwaitingApproval && run.approval?.decision === 'rejected'
  return isRefused ? endDisapproved(run, runs) : run
}

interface Setup {
  readonly place: Place
  readonly treasury: Treasury
  readonly service: NamedService | undefined
}

async function continueRun(
  { runId, request, asPlanned }: RunRecord,
  setup: Setup,
  { watch, beginProgress }: DecisionCallbacks,
): Promise<DecidedEnd> {
  const operation = policyOperations[verbOf(asPlanned)]
  const again = { do: 'approve', id: runId } as const
  const run = { ...setup, operation, watch, request, intentId: runId, again, requester: undefined }
  const result = await runReporting(run, beginProgress)
  return { end: 'run ended', result, request, exitCode: operation.exitCode(result) }
}

function refuse({ id, kind }: Decision) {
  return (error: unknown): never => {
    if (!(error instanceof Refused)) throw error
    const next = { do: kind === undefined ? 'show-run' : 'show-movement', id, why: 'its current state' } as const
    throw failedWith('refused', `${error.message}; nothing was recorded`, next, error)
  }
}
