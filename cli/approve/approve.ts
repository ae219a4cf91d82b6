// `sluice approve` and `sluice reject`: a person's decision on the plan that a run waits with. The plan and its hash
// are shown first; who decided, when and why is recorded. An approved run goes on at once: with a state directory to
// its end. On AWS the deployed function records the word, under the identity that signed, and enters the run.

import { intentId } from '../../core/contract/fields.ts'
import type { DecideAnswer } from '../../core/contract/people.ts'
import { type Approval, RunEnd } from '../../core/contract/runs.ts'
import { Refused } from '../../core/errors.ts'
import { printable, printableJson } from '../../core/printable.ts'
import {
  aloneTermsOf,
  decidable,
  decideApproval,
  endDisapproved,
  findAwaiting,
} from '../../core/runs/approval/decision.ts'
import { type RunRecord, reportOfRun } from '../../core/runs/record/run-record.ts'
import type { Runs } from '../../core/runs/record/runs.ts'
import {
  assertHoldsAtDesk,
  type NamedService,
  readNamedService,
  readTreasury,
} from '../../operations/connection/configuration.ts'
import { withJournalTarget } from '../../operations/connection/journal/journal-target.ts'
import { findPolicy, keyRolesOf, verbOf } from '../../operations/connection/named-policy.ts'
import { findRun } from '../../operations/connection/named-run.ts'
import { resolveSettings } from '../../operations/connection/settings.ts'
import type { Consent } from '../../operations/consent.ts'
import { readReason, readWho } from '../../operations/decider.ts'
import { withWhatMoved } from '../../operations/desk/what-moved.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { noteLive } from '../../operations/note-live.ts'
import { OperationError } from '../../operations/operation-error.ts'
import { exitCodeOf } from '../../operations/run-exit-code.ts'
import { policyOperations } from '../../operations/runs/policy-run.ts'
import { runToEnd } from '../../operations/runs/run-to-end.ts'
import { assertHolds, type Looked } from '../../operations/runs/stale.ts'
import { aloneNote } from '../../operations/words/alone-note.ts'
import { commandIn, commandWith, type TargetFlags } from '../../operations/words/command-line.ts'
import { policyRunWords } from '../../views/runs/policy-run-words.ts'
import { secondText } from '../../views/runs/report-sentences.ts'
import { reportLines } from '../../views/runs/report-text.ts'
import { printResult } from '../run/print-result.ts'
import type { DecisionFlags } from '../terminal/consent.ts'
import { withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { noteWidth } from '../terminal/listing.ts'
import { createProgress } from '../terminal/progress.ts'
import { decideOnMovement, findKindOf } from './movement.ts'

export interface DecideFlags extends TargetFlags, DecisionFlags {
  readonly planHash?: string
  /** Of one movement: decide on these very terms. */
  readonly termsHash?: string
  /** A page has shown the plan: it is not noted once more. */
  readonly isPlanShown?: true
}

/** A person's word on the plan of one run: who decides what, and why. */
interface Decision {
  readonly runId: string
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  readonly because: string
  readonly flags: DecideFlags
}

/**
 * Exits as the run does. After the decision was recorded, the same command continues the run, or shows its result.
 * @throws OperationError: exit 2 for flags and missing consent, exit 1 where the run does not wait any more
 */
export async function approve(runId: string, flags: DecideFlags, context: CommandContext): Promise<ExitCode> {
  const asked = readDecision('approved', runId, flags, context)
  const ofMovement = await decideIfMovement(asked, context)
  if (ofMovement !== undefined) return ofMovement
  if (flags.aws === true) return decideOnAws(asked, context)
  // If an earlier command was cut off, legs may have moved already.
  const withEvidence = (error: unknown) =>
    withWhatMoved(error, { intentId: runId, flags, again: commandWith(`approve ${runId}`, flags) }, context)
  const approved = await approveHere(asked, context).catch(async (error: unknown) => {
    // The journal itself says that the run does not wait any more.
    throw error instanceof OperationError && error.code === 'refused' ? error : await withEvidence(error)
  })
  if (isShort(approved.run)) return tellShort(approved.run, flags, context)
  return goOn(approved.run, approved.setup, flags, context).catch(async (error: unknown) => {
    throw await withEvidence(error)
  })
}

/**
 * Whether the plan may be approved now: the look that `approve` takes before it asks. Nothing is recorded, and no run goes
 * on. @throws ConsentMissing where it may be; else OperationError, as `approve` does
 */
export async function lookAtPlan(runId: string, flags: DecideFlags, context: CommandContext): Promise<ExitCode> {
  const asked = { ...readDecision('approved', runId, { ...flags, because: 'a look' }, context), flags }
  const service = flags.aws === true ? undefined : (await setUp(asked, context)).service
  const never = { yes: false, input: false }
  await withConsent(never, context, (consent) =>
    withJournalTarget(flags, context, (target) => agree(asked, { target, service, flags }, consent, context), {
      asksService: flags.aws !== true,
    }),
  )
  return ExitCode.Done
}

async function approveHere(
  asked: Decision,
  context: CommandContext,
): Promise<{ readonly run: RunRecord; readonly setup: Setup }> {
  const { flags } = asked
  const setup = await setUp(asked, context)
  const { service } = setup
  const run = await withConsent(flags, context, (consent) =>
    withJournalTarget(flags, context, (target) => decide(asked, { target, service, flags }, consent, context), {
      asksService: true,
    }),
  )
  return { run, setup }
}

/** Where the id is that of a movement, and no run has it. */
async function decideIfMovement({ runId, ...said }: Decision, context: CommandContext): Promise<ExitCode | undefined> {
  if (!intentId.safeParse(runId).success) return undefined
  const kind = await withJournalTarget(said.flags, context, (target) => findKindOf(runId, target))
  return kind && decideOnMovement({ ...said, kind, intentId: runId }, context)
}

/** Everything that the run goes on with is checked before the decision is recorded. */
async function setUp({ runId, flags }: Decision, context: CommandContext): Promise<Setup> {
  const settings = resolveSettings(flags, context.variables)
  const treasury = readTreasury(settings.configFile)
  const waiting = await withJournalTarget(flags, context, (target) => findRun(runId, flags, target))
  const { request } = waiting
  const policy =
    typeof request.policy === 'string'
      ? findPolicy(request.policy, treasury, { source: 'policy', flags })
      : request.policy
  if (typeof request.policy !== 'string') assertHoldsAtDesk(treasury, policy)
  const service = await readNamedService(settings, treasury, keyRolesOf(policy), context.stdin)
  return { settings, treasury, service }
}

/** It was approved, and not by enough people. */
function isShort({ outcome, approval }: RunRecord): boolean {
  return outcome === RunEnd.AwaitingApproval && approval?.decision === undefined
}

function tellShort(run: RunRecord, flags: DecideFlags, { output }: CommandContext): ExitCode {
  const { runId, approval } = run
  const given = approval?.approvals ?? []
  const text = shortText(runId, given, approval?.needed)
  output.data(output.json ? printableJson({ runId, approval }) : text)
  output.next([`${commandIn(`approve ${runId}`, flags)}   # by another person`])
  return ExitCode.AwaitsApproval
}

function shortText(runId: string, given: NonNullable<Approval['approvals']>, needed: number | undefined): string {
  return `${runId} has ${given.length} of ${needed} approvals; ${secondText({ approvals: given })}another person must approve it`
}

/** Rejects the plan. The run is at its end then. */
export async function reject(runId: string, flags: DecideFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const asked = readDecision('rejected', runId, flags, context)
  const ofMovement = await decideIfMovement(asked, context)
  if (ofMovement !== undefined) return ofMovement
  if (flags.aws === true) return decideOnAws(asked, context)
  const run = await withConsent(flags, context, (consent) =>
    withJournalTarget(flags, context, (target) =>
      decide(asked, { target, service: undefined, flags }, consent, context),
    ),
  )
  output.data(output.json ? printableJson(reportOfRun(run)) : `${runId} is ${run.outcome}`)
  output.next([commandIn('runs', flags)])
  return ExitCode.Done
}

/** The function that is asked records the word, and enters the run where people have decided. */
async function decideOnAws(asked: Decision, context: CommandContext): Promise<ExitCode> {
  const { runId, flags } = asked
  const { output } = context
  let known: RunRecord | undefined
  const answer = await withConsent(flags, context, (consent) =>
    withJournalTarget(flags, context, async (target) => {
      const agreed = await agree(asked, { target, service: undefined, flags }, consent, context)
      known = agreed.run
      if (agreed.isSettled) return undefined
      const { because, decision } = asked
      const { door } = target
      if (door === undefined) throw new TypeError('only on AWS is a function asked')
      return door.decide({ run: runId, decision, planHash: agreed.planHash, because }).catch((error: unknown) => {
        throw error instanceof Refused ? refused(error, runId, flags) : error
      })
    }),
  )
  if (answer !== undefined) return tellAnswer(answer, flags, context)
  const { approval, outcome } = known ?? {}
  output.data(output.json ? printableJson({ runId, approval, outcome }) : `${runId} is ${outcome}`)
  output.next([commandIn(`show ${runId}`, flags)])
  return known === undefined || asked.decision === 'rejected' ? ExitCode.Done : exitCodeOf(known)
}

function tellAnswer(answer: DecideAnswer, flags: DecideFlags, { output }: CommandContext): ExitCode {
  const { outcome, run, by, approvals = [], needed, execution } = answer
  const goesOn = outcome === 'APPROVED' ? 'goes on' : 'is rejected, and ends'
  if (run === undefined) throw new TypeError('it was asked about a run')
  const text = outcome === 'WAITS' ? shortText(run, approvals, needed) : `${run} ${goesOn}: ${execution}`
  output.data(output.json ? printableJson({ runId: run, ...answer }) : text)
  output.note(`recorded as the word of ${printable(by)}`)
  output.next([commandIn(`show ${run}`, flags)])
  return outcome === 'WAITS' ? ExitCode.AwaitsApproval : ExitCode.Done
}

function readDecision(
  decision: Decision['decision'],
  runId: string,
  flags: DecideFlags,
  { variables }: CommandContext,
): Decision {
  return { decision, runId, flags, by: readWho(flags, variables), because: readReason(flags.because) }
}

async function decide(asked: Decision, looked: Looked, consent: Consent, context: CommandContext): Promise<RunRecord> {
  const { runId, decision, by, because, flags } = asked
  const { decisions, requesters, runJournal } = looked.target
  const { runs } = runJournal
  const { run, planHash, isSettled } = await agree(asked, looked, consent, context)
  try {
    const word = { decision, by, because, planHash, at: timeIn(context) }
    const decided = isSettled ? run : await decideApproval(runId, word, { runs, decisions, requesters })
    return await endedBy(decided, runs)
  } catch (error) {
    throw error instanceof Refused ? refused(error, runId, flags) : error
  }
}

interface Agreed {
  readonly run: RunRecord
  readonly planHash: string
  /** People had decided so before: there is no more to say. */
  readonly isSettled: boolean
}

/** Shows the plan, and asks the person. Nothing is recorded yet. */
async function agree(
  { runId, decision, by, flags }: Decision,
  looked: Looked,
  consent: Consent,
  context: CommandContext,
): Promise<Agreed> {
  const { output } = context
  const { decisions, requesters, runJournal, treasury } = looked.target
  const { runs } = runJournal
  try {
    const known = await runs.find(runId)
    // The same decision on this plan was recorded before. The answer is what became of the run.
    const isSamePlan = flags.planHash === undefined || flags.planHash === known?.approval?.planHash
    const isOver = known?.outcome !== RunEnd.AwaitingApproval
    // On AWS the function that is asked again enters a run that has not gone on.
    const isSettled = known?.approval?.decision === decision && isSamePlan && (isOver || flags.aws !== true)
    if (known !== undefined && isSettled) return { run: known, planHash: known.approval?.planHash ?? '', isSettled }
    const waiting = await findAwaiting(runId, { runs, decisions, requesters })
    const planHash = flags.planHash ?? waiting.approval?.planHash ?? ''
    // Nobody is asked about a plan that cannot be decided on any more, or that no longer holds.
    decidable(waiting, { planHash, decision, at: timeIn(context), ...(by !== '' && { by }) })
    const verb = decision === 'approved' ? 'approve' : 'reject'
    const question = `${verb} plan ${printable(planHash)} of run ${runId}?`
    const isShown = consent.isGiven(question)
    if (decision === 'approved' && !isShown)
      noteLive(treasury.service.stage, flags.service ?? treasury.service.url, output)
    // Once more after the answer: a person may have taken an hour.
    if (decision === 'approved') await assertHolds(waiting, looked, context)
    if (!isShown && flags.isPlanShown !== true)
      for (const line of reportLines(reportOfRun(waiting), noteWidth(context))) output.note(line)
    const alone = decision === 'approved' ? aloneTermsOf(waiting) : undefined
    if (alone !== undefined && !isShown) {
      const who = { by, at: timeIn(context) }
      output.note(
        await aloneNote(alone, by === '' ? undefined : () => decisions.findWhySecond(runId, planHash, who, alone)),
      )
    }
    consent.to(question)
    return { run: waiting, planHash, isSettled: false }
  } catch (error) {
    throw error instanceof Refused ? refused(error, runId, flags) : error
  }
}

function timeIn({ clock }: CommandContext): string {
  return new Date(clock.nowMs()).toISOString()
}

/** A no ends the run at once; a yes lets it go on only where it is entered again. */
async function endedBy(run: RunRecord, runs: Pick<Runs, 'advance'>): Promise<RunRecord> {
  const isRefused = run.outcome === RunEnd.AwaitingApproval && run.approval?.decision === 'rejected'
  return isRefused ? endDisapproved(run, runs) : run
}

interface Setup {
  readonly settings: ReturnType<typeof resolveSettings>
  readonly treasury: ReturnType<typeof readTreasury>
  readonly service: NamedService | undefined
}

async function goOn(
  { runId, request, asPlanned }: RunRecord,
  setup: Setup,
  flags: DecideFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { output, clock } = context
  const operation = policyOperations[verbOf(asPlanned)]
  const progress = createProgress(output, clock)
  const again = commandWith(`approve ${runId}`, flags)
  try {
    const result = await runToEnd(
      { ...setup, operation, watch: policyRunWords.watch, request, intentId: runId, again },
      progress,
      context,
    )
    progress.end()
    printResult(policyRunWords, result, context)
    output.note(`${result.outcome}  ${policyRunWords.describe(result, request)}`)
    output.next([`${commandIn(`report ${runId}`, flags)}   # as a page`, commandIn(`show ${runId}`, flags)])
    return operation.exitCode(result)
  } finally {
    progress.end()
  }
}

function refused(error: Refused, runId: string, flags: DecideFlags): OperationError {
  const next = `${commandIn(`show ${runId}`, flags)}   # as it stands`
  const message = `${error.message}; nothing was recorded`
  return new OperationError({ exitCode: ExitCode.Failed, code: 'refused', message, next }, { cause: error })
}
