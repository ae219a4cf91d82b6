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
import { type Consent, consentOf, type WithConsent } from '../../place/consent.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import { readReason, readWho } from '../../place/decider.ts'
import { withWhatMoved } from '../../place/desk/what-moved.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { serviceOf, withJournalConnection } from '../../place/journal-connection.ts'
import { findPolicy, findRun, keyRolesOf, verbOf } from '../../place/named-policy.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { failedWith, OperationError, unfit } from '../../place/operation-error.ts'
import { findPlace, noteServiceAt, type Place, readKeys } from '../../place/place.ts'
import { isOnAws } from '../../place/settings.ts'
import { exitCodeOf } from '../run-exit-code.ts'
import { aloneNote, alreadyText, type Before, beforeOf } from '../words/approvals-text.ts'
import { type DecidedMovement, decideOnMovement, findKindOf } from './decide-movement.ts'
import type { Watch } from './execution-events.ts'
import { type PolicyRunResult, policyOperations } from './policy-run.ts'
import { runToEnd } from './run-to-end.ts'
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

/** A person's decision on the plan of one run, with the reason. */
interface Decision {
  readonly runId: string
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  readonly because: string
  /** Decides only if the plan, or the terms of the movement, have this hash. */
  readonly hash: string | undefined
  readonly flags: ConnectionFlags
}

/**
 * Records the decision, continues the run, and ends as the run does. If the decision was recorded earlier, the call
 * continues the run, or returns its result.
 * @throws OperationError: exit 2 for wrong usage; exit 1 where the run no longer waits. Also throws what `withConsent`
 * throws.
 */
export async function approve(
  runId: string,
  given: DecisionInput,
  flags: ConnectionFlags,
  callbacks: DecisionCallbacks,
  context: OperationContext,
): Promise<Decided> {
  const asked = readDecision('approved', runId, given, flags, context)
  const elsewhere = await decideElsewhere(asked, given, callbacks, context)
  if (elsewhere !== undefined) return elsewhere
  // If an earlier command was cut off, legs may have moved already.
  const withEvidence = (error: unknown) =>
    withWhatMoved(error, { intentId: runId, flags, again: { do: 'approve', id: runId } as const }, context)
  const { decided, setup } = await approveHere(asked, callbacks, context).catch(async (error: unknown) => {
    // The journal itself says that the run no longer waits.
    throw error instanceof OperationError && error.code === 'refused' ? error : await withEvidence(error)
  })
  callbacks.onRecorded?.()
  const { run } = decided
  const before = beforeOf(decided.before, asked)
  if (isShort(run)) return { end: 'needs another person', run, ...before, exitCode: ExitCode.AwaitsApproval }
  const ended = await continueRun(run, setup, callbacks).catch(async (error: unknown) => {
    throw await withEvidence(error)
  })
  return { ...ended, ...before }
}

/** Decides on a single movement, or on AWS. Returns undefined for the plan of a run in this state directory. */
async function decideElsewhere(
  asked: Decision,
  given: DecisionInput,
  callbacks: DecisionCallbacks,
  context: OperationContext,
): Promise<Decided | undefined> {
  const { runId, flags } = asked
  const kind = intentId.safeParse(runId).success
    ? await withJournalConnection(flags, context, (connection) => findKindOf(runId, connection))
    : undefined
  assertHashFits(runId, kind, given)
  if (kind !== undefined) {
    const movement = await decideOnMovement({ ...asked, kind, intentId: runId }, callbacks.withConsent, context)
    const exitCode = movement.missing > 0 ? ExitCode.AwaitsApproval : ExitCode.Done
    return { end: 'movement decided', movement, ...beforeOf(movement.before, movement), exitCode }
  }
  return isOnAws(flags) ? decideOnAws(asked, callbacks, context) : undefined
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

/** Rejects the plan, which ends the run. @throws as `approve` does */
export async function reject(
  runId: string,
  given: DecisionInput,
  flags: ConnectionFlags,
  callbacks: DecisionCallbacks,
  context: OperationContext,
): Promise<Decided> {
  const asked = readDecision('rejected', runId, given, flags, context)
  const elsewhere = await decideElsewhere(asked, given, callbacks, context)
  if (elsewhere !== undefined) return elsewhere
  const decided = await callbacks.withConsent((consent) =>
    withJournalConnection(flags, context, (connection) =>
      decide(asked, { connection, service: undefined, flags }, consent, callbacks, context),
    ),
  )
  const { run, before } = decided
  return { end: 'rejected', run, ...beforeOf(before, asked), exitCode: ExitCode.Done }
}

/**
 * Checks whether the plan may be approved now, as `approve` does before it asks. It records nothing, and continues no
 * run. If the plan was approved earlier, it returns.
 * @throws ConsentNeeded where the plan may be approved; else OperationError, as `approve` does
 */
export async function readPlan(
  runId: string,
  { by }: Pick<DecisionInput, 'by'>,
  flags: ConnectionFlags,
  context: OperationContext,
): Promise<void> {
  const given = { because: 'a look', ...(by !== undefined && { by }) }
  const asked = readDecision('approved', runId, given, flags, context)
  const service = isOnAws(flags) ? undefined : (await setUp(asked, context)).service
  const { run } = await consentOf('')((consent) =>
    withJournalConnection(
      flags,
      context,
      (connection) => agree(asked, { connection, service, flags }, consent, {}, context),
      {
        asksService: !isOnAws(flags),
      },
    ),
  )
  const already =
    isShort(run) &&
    alreadyText(
      asked.by,
      (run.approval?.approvals ?? []).map((each) => each.by),
    )
  if (already) context.output.note(already)
}

async function approveHere(
  asked: Decision,
  callbacks: DecisionCallbacks,
  context: OperationContext,
): Promise<{ readonly decided: DecidedRun; readonly setup: Setup }> {
  const { flags } = asked
  const setup = await setUp(asked, context)
  const { service } = setup
  const decided = await callbacks.withConsent((consent) =>
    withJournalConnection(
      flags,
      context,
      (connection) => decide(asked, { connection, service, flags }, consent, callbacks, context),
      {
        asksService: true,
      },
    ),
  )
  return { decided, setup }
}

/** Checks everything that the run continues with, before the decision is recorded. */
async function setUp({ runId, flags }: Decision, context: OperationContext): Promise<Setup> {
  const place = findPlace(flags, context)
  const treasury = await place.treasury()
  const waiting = await withJournalConnection(flags, context, (connection) => findRun(runId, connection))
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

/** Calls the function on AWS, which records the decision, and enters the run once enough people have decided. */
async function decideOnAws(asked: Decision, callbacks: DecisionCallbacks, context: OperationContext): Promise<Decided> {
  const { because, decision, flags, runId } = asked
  const { known, answer } = await callbacks.withConsent((consent) =>
    withJournalConnection(flags, context, async (connection) => {
      const agreed = await agree(asked, { connection, service: undefined, flags }, consent, callbacks, context)
      if (agreed.before !== undefined) return { known: agreed }
      const { door } = connection
      if (door === undefined) throw new TypeError('only on AWS is a function asked')
      const { planHash } = agreed
      return {
        answer: await door.decide({ run: runId, decision, planHash, because }).catch((error: unknown) => {
          throw error instanceof Refused ? refused(error, runId) : error
        }),
      }
    }),
  )
  if (answer === undefined) {
    const exitCode = decision === 'rejected' ? ExitCode.Done : exitCodeOf(known.run)
    return { end: 'decided before', run: known.run, ...beforeOf(known.before, asked), exitCode }
  }
  if (answer.run === undefined) throw new TypeError('it was asked about a run')
  const exitCode = answer.outcome === 'WAITS' ? ExitCode.AwaitsApproval : ExitCode.Done
  const { by, before, run } = answer
  return { end: 'answered', runId: run, answer, ...beforeOf(before, { decision, by }), exitCode }
}

function readDecision(
  decision: Decision['decision'],
  runId: string,
  given: DecisionInput,
  flags: ConnectionFlags,
  { variables }: OperationContext,
): Decision {
  const by = readWho({ ...flags, ...given }, variables)
  return { decision, runId, flags, by, because: readReason(given.because), hash: given.planHash ?? given.termsHash }
}

async function decide(
  asked: Decision,
  sources: PlanSources,
  consent: Consent,
  callbacks: Pick<DecisionCallbacks, 'showPlan'>,
  context: OperationContext,
): Promise<DecidedRun> {
  const { runId, decision, by, because } = asked
  const { decisions, requesters, runJournal } = sources.connection
  const { runs } = runJournal
  const { planHash, ...agreed } = await agree(asked, sources, consent, callbacks, context)
  try {
    const recorded = { decision, by, because, planHash, at: timeIn(context) }
    const isSettled = agreed.before !== undefined
    const decided = isSettled ? agreed : await decideApproval(runId, recorded, { runs, decisions, requesters })
    return { ...decided, run: await endedBy(decided.run, runs) }
  } catch (error) {
    throw error instanceof Refused ? refused(error, runId) : error
  }
}

/** With `before`, nobody is asked. */
interface Agreed extends DecidedRun {
  readonly planHash: string
}

/** Shows the plan, and asks the person. It records nothing. */
async function agree(
  { runId, decision, by, flags, hash: asked }: Decision,
  sources: PlanSources,
  consent: Consent,
  { showPlan }: Pick<DecisionCallbacks, 'showPlan'>,
  context: OperationContext,
): Promise<Agreed> {
  const { output } = context
  const { decisions, requesters, runJournal, treasury, door } = sources.connection
  const { runs } = runJournal
  try {
    const known = await runs.find(runId)
    // The same decision on this plan was recorded before. The answer is the state of the run.
    const isSamePlan = asked === undefined || asked === known?.approval?.planHash
    const isOver = known?.outcome !== RunEnd.AwaitingApproval
    // On AWS the function is called again, and enters a run that has not continued.
    const settled = isSamePlan && (isOver || door === undefined) ? known?.approval : undefined
    const settledBefore = settled?.decision && findBefore(settled, { decision, by })
    if (known !== undefined && settled && settledBefore)
      return { run: known, planHash: settled.planHash, before: settledBefore }
    const waiting = await findAwaiting(runId, { runs, decisions, requesters })
    const planHash = asked ?? waiting.approval?.planHash ?? ''
    // Nobody is asked about a plan that can no longer be decided on, or no longer holds.
    const approval = decidable(waiting, { planHash, decision, at: timeIn(context), ...(by !== '' && { by }) })
    const before = door !== undefined ? undefined : findBefore(approval, { decision, by })
    if (before !== undefined) return { run: waiting, planHash, before }
    const verb = decision === 'approved' ? 'approve' : 'reject'
    const question = `${verb} plan ${printable(planHash)} of run ${runId}?`
    const isShown = consent.isGiven(question)
    if (decision === 'approved' && !isShown)
      noteServiceAt(output, { flags, treasury }, serviceOf(flags, context.variables))
    // The check repeats after the answer, because a person may have taken an hour.
    if (decision === 'approved') await assertHolds(waiting, sources, context)
    if (!isShown) showPlan?.(reportOfRun(waiting))
    const alone = decision === 'approved' ? aloneTermsOf(waiting) : undefined
    if (alone !== undefined && !isShown) {
      const who = { by, at: timeIn(context) }
      output.note(
        await aloneNote(alone, by === '' ? undefined : () => decisions.findWhySecond(runId, planHash, who, alone)),
      )
    }
    consent.to(question)
    return { run: waiting, planHash }
  } catch (error) {
    throw error instanceof Refused ? refused(error, runId) : error
  }
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
  const progress = beginProgress()
  const again = { do: 'approve', id: runId } as const
  try {
    const run = { ...setup, operation, watch, request, intentId: runId, again, requester: undefined }
    const result = await runToEnd(run, progress)
    return { end: 'run ended', result, request, exitCode: operation.exitCode(result) }
  } finally {
    progress.end()
  }
}

function refused(error: Refused, runId: string): OperationError {
  const next = { do: 'show-run', id: runId, why: 'its current state' } as const
  const message = `${error.message}; nothing was recorded`
  return failedWith('refused', message, next, error)
}
