// `sluice approve` and `sluice reject`: a person's word on the plan that a run waits with. Shows the plan and
// its hash first; records who, when and why. An approved run goes on at once: in a state directory to its
// end, on AWS as the next execution of the same run.
import { MOST_ENTRIES } from '../../core/contract/fields.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { Refused } from '../../core/errors.ts'
import { decideApproval, findAwaiting } from '../../core/runs/approval/decision.ts'
import { type RunRecord, reportOfRun } from '../../core/runs/record/run-record.ts'
import { type JournalPlace, type PlaceFlags, withJournalPlace } from '../attention/journal-place.ts'
import { readName, readReason } from '../attention/person.ts'
import { CommandError } from '../command-error.ts'
import { commandIn, commandWith, INVOCATION } from '../command-line.ts'
import { readTreasury } from '../configuration.ts'
import { requireConsent } from '../consent.ts'
import type { CommandContext } from '../context.ts'
import { enterAgain } from '../entries.ts'
import { ExitCode } from '../exit-code.ts'
import { type NamedService, readNamedService } from '../named-service.ts'
import { createProgress } from '../progress/progress.ts'
import { reportLines } from '../report/report-text.ts'
import { runEmbedded } from '../run-embedded.ts'
import { resolveSettings } from '../settings.ts'
import { printable, printableJson } from '../table.ts'
import { withWhatMoved } from '../what-moved.ts'
import { findPolicy, keyRolesOf, machineOf, verbOf } from './find-policy.ts'
import { exitCodeOf, findRun } from './find-run.ts'
import { policyOperations } from './policy-operations.ts'

export interface DecideFlags extends PlaceFlags {
  readonly because?: string
  readonly by?: string
  readonly planHash?: string
  readonly yes?: true
  /** False with --no-input. */
  readonly input?: boolean
}

/** Who decides what, and why. */
interface Word {
  readonly decision: 'approved' | 'rejected'
  readonly by: string
  readonly because: string
}

/**
 * Exits as the run does; given again after the word was recorded it goes on, or tells the first result.
 * @throws CommandError: exit 2 for flags and missing consent, exit 1 where it waits no more
 */
export async function approve(runId: string, flags: DecideFlags, context: CommandContext): Promise<ExitCode> {
  const word = readWord('approved', flags, context)
  if (flags.aws === true) return approveOnAws(runId, word, flags, context)
  // Legs may have moved already, where it was cut off on its way.
  const telling = (error: unknown) =>
    withWhatMoved(error, { intentId: runId, flags, again: commandWith(`approve ${runId}`, flags) }, context)
  const approved = await approveHere(runId, word, flags, context).catch(async (error: unknown) => {
    // That it waits no more is the journal's own word.
    throw error instanceof CommandError && error.code === 'refused' ? error : await telling(error)
  })
  return goOn(approved.run, approved.target, flags, context).catch(async (error: unknown) => {
    throw await telling(error)
  })
}

async function approveHere(
  runId: string,
  word: Word,
  flags: DecideFlags,
  context: CommandContext,
): Promise<{ readonly run: RunRecord; readonly target: Target }> {
  // All that the run goes on with is looked at before a word is recorded.
  const settings = resolveSettings(flags, context.variables)
  const treasury = readTreasury(settings.configFile)
  const waiting = await withJournalPlace(flags, context, (place) => findRun(runId, place))
  const { request } = waiting
  const policy = typeof request.policy === 'string' ? findPolicy(request.policy, treasury, 'policy') : request.policy
  const service = await readNamedService(settings, treasury, keyRolesOf(policy), context.stdin)
  const run = await withJournalPlace(flags, context, (place) => decide(runId, word, flags, place, context))
  return { run, target: { settings, treasury, service } }
}

/** The run is at its end. */
export async function reject(runId: string, flags: DecideFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const word = readWord('rejected', flags, context)
  const run = await withJournalPlace(flags, context, (place) => decide(runId, word, flags, place, context))
  output.data(output.json ? printableJson(reportOfRun(run)) : `${runId} is ${run.outcome}`)
  output.next([commandIn('runs', flags)])
  return ExitCode.Done
}

async function approveOnAws(runId: string, word: Word, flags: DecideFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { run, execution } = await withJournalPlace(flags, context, async (place) => {
    const decided = await decide(runId, word, flags, place, context)
    const waits = decided.outcome === RunEnd.AwaitingApproval
    return { run: decided, execution: waits ? await enterOnAws(decided, place) : undefined }
  })
  const { approval, outcome } = run
  const text = execution === undefined ? `${runId} is ${outcome}` : `${runId} goes on: ${execution}`
  output.data(output.json ? printableJson({ runId, approval, ...(execution ? { execution } : { outcome }) }) : text)
  output.next([commandIn(`show ${runId}`, flags)])
  return execution === undefined ? exitCodeOf(run) : ExitCode.Done
}

/** @returns the ARN of the execution in which it goes on. */
async function enterOnAws({ runId, entry, asPlanned, request }: RunRecord, place: JournalPlace): Promise<string> {
  const { startExecution } = place
  if (startExecution === undefined) throw new TypeError('only on AWS does a place start executions')
  const stateMachine = machineOf[verbOf(asPlanned)]
  // Who entered it meanwhile, to find it still waiting, took a name: the record does not count those.
  const started = await enterAgain(runId, entry, (name) => startExecution(stateMachine, name, request))
  if (started === undefined) throw tooManyEntries(runId)
  if (started === 'no machine') throw noMachine(runId, stateMachine)
  return started.executionArn
}

function readWord(decision: Word['decision'], { by, because }: DecideFlags, { variables }: CommandContext): Word {
  return { decision, by: readName(by, variables), because: readReason(because) }
}

async function decide(
  runId: string,
  word: Word,
  flags: DecideFlags,
  { runJournal }: JournalPlace,
  context: CommandContext,
): Promise<RunRecord> {
  const { clock, output } = context
  const { decision } = word
  try {
    const known = await runJournal.runs.find(runId)
    // Decided so before, of this plan: what became of it is the answer, wherever the command was cut off.
    const isSamePlan = flags.planHash === undefined || flags.planHash === known?.approval?.planHash
    if (known?.approval?.decision === decision && isSamePlan) return known
    const waiting = await findAwaiting(runId, runJournal.runs)
    const planHash = flags.planHash ?? waiting.approval?.planHash ?? ''
    for (const line of reportLines(reportOfRun(waiting))) output.note(line)
    const verb = decision === 'approved' ? 'approve' : 'reject'
    const question = `${verb} plan ${printable(planHash)} of run ${runId}?`
    await requireConsent({ question, isGiven: flags.yes === true, isSilent: flags.input === false }, context)
    const at = new Date(clock.nowMs()).toISOString()
    return await decideApproval(runId, { ...word, planHash, at }, runJournal.runs)
  } catch (error) {
    throw error instanceof Refused ? refused(error, runId, flags) : error
  }
}

interface Target {
  readonly settings: ReturnType<typeof resolveSettings>
  readonly treasury: ReturnType<typeof readTreasury>
  readonly service: NamedService | undefined
}

async function goOn(
  { runId, request, asPlanned }: RunRecord,
  target: Target,
  flags: DecideFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { output, clock } = context
  const operation = policyOperations[verbOf(asPlanned)]
  const progress = createProgress(output, clock)
  const again = commandWith(`approve ${runId}`, flags)
  try {
    const result = await runEmbedded({ ...target, operation, request, intentId: runId, again }, progress, context)
    progress.end()
    output.data(printableJson(result))
    output.note(`${result.outcome}  ${operation.describe(result, request)}`)
    output.next([`${commandIn(`report ${runId}`, flags)}   # as a page`, commandIn(`show ${runId}`, flags)])
    return operation.exitCode(result)
  } finally {
    progress.end()
  }
}

function refused(error: Refused, runId: string, flags: DecideFlags): CommandError {
  const next = `${commandIn(`show ${runId}`, flags)}   # as it stands`
  const message = `${error.message}; nothing was recorded`
  return new CommandError({ exitCode: ExitCode.Failed, code: 'refused', message, next }, { cause: error })
}

function noMachine(runId: string, stateMachine: string): CommandError {
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'unreachable',
    message: `the approval is recorded, and there is no state machine ${stateMachine} to go on with`,
    next: `check the AWS account and region, then run the same command again; ${INVOCATION} show ${runId} --aws`,
  })
}

function tooManyEntries(runId: string): CommandError {
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: `the approval is recorded, and run ${runId} was entered ${MOST_ENTRIES} times, which is the most`,
    next: 'start a run under another name: nothing of this one has moved',
  })
}
