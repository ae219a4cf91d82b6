// `sluice again`: enters an intent or a run again, or everything in doubt, and waits for the ends. Each step reads the
// journal before it acts, so that entering again is safe in every state. What is in doubt sends nothing until it is
// certain that the last attempt moved nothing.

import { mapBounded } from '../../core/bounded.ts'
import type { Clock } from '../../core/clock.ts'
import { entryName, MOST_ENTRIES } from '../../core/contract/fields.ts'
import { KeyRole, type Treasury } from '../../core/contract/treasury.ts'
import { type EmbeddedSession, withEmbeddedSession } from '../embedded/embedded-session.ts'
import type { Executions, KeptExecution } from '../run/follow-execution.ts'
import { type RunTarget, withRemoteTarget } from '../run/run-target.ts'
import { admitService, assertAdmitted } from '../target/account/admit-service.ts'
import { readNamedService } from '../target/configuration.ts'
import { treasuryFor } from '../target/deployed-configuration.ts'
import type { Desk } from '../target/desk/desk-file.ts'
import { findLastEntry } from '../target/journal/entries.ts'
import { journalFailure } from '../target/journal/journal-failure.ts'
import { sendingRoles } from '../target/named-policy.ts'
import { resolveTarget } from '../target/settings.ts'
import { commandErrorOf, usageError } from '../terminal/command-error.ts'
import { commandIn, commandWith, quoted, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { orInterrupted, untilInterrupted } from '../terminal/interruption.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'
import { printable, printableJson } from '../terminal/printable.ts'
import { createProgress, type Progress } from '../terminal/progress.ts'
import type { Column } from '../terminal/table.ts'
import { findArmed, findInNeed, findWaiting, type Waiting } from './waiting.ts'

export interface AgainFlags extends TargetFlags, ListFlags {
  readonly armed?: true
}

/** What one command takes on. */
const MOST = 1_000
/** Entered at once: their reads of the service share one rate limit. */
const AT_ONCE = 5

interface Entered {
  readonly id: string
  readonly kind: string
  readonly was: string
  readonly outcome: string
  readonly why: string | null
  readonly exitCode: ExitCode
}

const columns: readonly Column<Entered>[] = [
  { title: 'id', text: ({ id }) => id, isId: true },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'was', text: ({ was }) => was },
  { title: 'outcome', text: ({ outcome }) => outcome },
  { title: 'why', text: ({ why }) => why ?? '', isDetail: true },
]

interface Done {
  readonly entered: readonly Entered[]
  /** Left for the same command again. */
  readonly more: number
  /** Whether not all open intents were looked at. */
  readonly isCutOff: boolean
  readonly unreadable: readonly string[]
}

/** Exits with 3 where something still needs a person, or could not be entered. @throws CommandError */
export async function again(id: string | undefined, flags: AgainFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, columns)
  if ((id === undefined) === (flags.armed === undefined)) {
    const got = id === undefined ? 'neither' : 'both'
    const next = `${commandIn('attention', flags)}   # what waits`
    throw usageError('usage', `again: expected the id of an intent or a run, or --armed; got ${got}`, next)
  }
  const command = commandWith(`again ${id === undefined ? '--armed' : quoted(id)}`, flags)
  const { entered, more, isCutOff, unreadable } = await enterAt(
    id,
    (target, progress) => (id === undefined ? enterArmed(target, progress) : enterOne(id, flags, target, progress)),
    command,
    flags,
    context,
  )
  if (output.json)
    output.data(
      printableJson({ entered: entered.map(({ exitCode: _code, ...row }) => row), more, isCutOff, unreadable }),
    )
  else if (entered.length > 0 || flags.csv === true) printList(columns, entered, flags, context)
  if (entered.length === 0 && unreadable.length === 0) output.note('nothing is in doubt')
  if (more > 0) output.note(`${more} more are in doubt`)
  if (isCutOff)
    output.note(
      'more intents are open than were looked at: once these are settled, the same command looks at the others',
    )
  for (const message of unreadable) output.note(`not entered, as it cannot be read: ${printable(message)}`)
  const inNeed = entered.filter(({ exitCode }) => exitCode === ExitCode.NeedsPerson)
  if (inNeed.length > 0) output.note(`still need a person, or another look: ${inNeed.length}`)
  output.next([...(more > 0 || inNeed.length > 0 ? [command] : []), commandIn('attention', flags)])
  if (inNeed.length + unreadable.length > 0) return ExitCode.NeedsPerson
  return id === undefined ? ExitCode.Done : (entered[0]?.exitCode ?? ExitCode.Done)
}

type Work = (target: RunTarget, progress: Progress) => Promise<Done>

/** At a desk, in this process, or on AWS. */
async function enterAt(
  id: string | undefined,
  work: Work,
  again: string,
  flags: AgainFlags,
  context: CommandContext,
): Promise<Done> {
  const { clock, output, stdin, variables } = context
  const settings = resolveTarget(flags, variables)
  const treasury = await treasuryFor({ flags, configFile: settings.configFile, output })
  const progress = createProgress(output, clock)
  const remotely = (address: Desk | { readonly environment: string | undefined }, waiting: Clock) =>
    withRemoteTarget({ address, clock: waiting, onEvent: () => undefined, onBegin: () => undefined }, (target) =>
      work(target, progress),
    )
  try {
    if (flags.aws === true) {
      const signal = context.catchInterruption()
      const working = remotely({ environment: treasury.environment }, untilInterrupted(clock, signal))
      return await orInterrupted(working, signal, again, 'on AWS').catch((error: unknown) =>
        Promise.reject(journalFailure(error)),
      )
    }
    const roles = rolesFor(id, treasury)
    const service = await readNamedService(settings, treasury, roles, stdin)
    const options = {
      ...settings,
      treasury,
      service,
      command: 'again',
      roles,
      prepare: () => admitService(settings.stateDir, service, clock),
      onEvent: () => undefined,
      progress,
      again,
    }
    return await withEmbeddedSession(
      options,
      context,
      ({ aws }: EmbeddedSession) => work({ executions: aws, journal: aws }, progress),
      async (desk, signal) => {
        // The desk sends with keys of its own: those in hand must be of the same account.
        if (service !== undefined) await assertAdmitted(settings.stateDir, service, clock)
        return remotely(desk, untilInterrupted(clock, signal))
      },
    )
  } finally {
    progress.end()
  }
}

/** The id of an intent that a person asked for tells its kind. Else they are those that the policies send with. */
function rolesFor(id: string | undefined, treasury: Treasury): KeyRole[] {
  if (id?.startsWith('cv-') === true) return [KeyRole.Trade]
  if (id?.startsWith('wd-') === true) return [KeyRole.Transfer]
  return sendingRoles(treasury)
}

async function enterOne(id: string, flags: AgainFlags, target: RunTarget, progress: Progress): Promise<Done> {
  const waiting = await findWaiting(id, flags, target.journal)
  return { entered: [await enter(waiting, target, progress)], more: 0, isCutOff: false, unreadable: [] }
}

/** The intents first: a run whose legs are settled then ends with them. */
async function enterArmed(target: RunTarget, progress: Progress): Promise<Done> {
  const { armed, left, isCutOff, unreadable } = await findArmed(MOST, target.journal)
  const entered = await mapBounded(armed, AT_ONCE, (waiting) => enterOrTell(waiting, target, progress))
  const runIds = [...new Set(armed.flatMap(({ run }) => run ?? []))]
  const runs = await findInNeed(runIds, target.journal)
  const ended = await mapBounded(runs, AT_ONCE, (waiting) => enterOrTell(waiting, target, progress))
  return { entered: [...entered, ...ended], more: left, isCutOff, unreadable }
}

/** One that cannot be entered keeps none of the others from it. */
async function enterOrTell(waiting: Waiting, target: RunTarget, progress: Progress): Promise<Entered> {
  try {
    return await enter(waiting, target, progress)
  } catch (error) {
    const { message } = commandErrorOf(error)
    progress.line({ label: 'again', text: `${waiting.id}: ${message}`, tone: 'bad' })
    const { id, operation, was } = waiting
    return { id, kind: operation.noun, was, outcome: was, why: message, exitCode: ExitCode.NeedsPerson }
  }
}

async function enter(
  { id, operation, was, request }: Waiting,
  target: RunTarget,
  progress: Progress,
): Promise<Entered> {
  const { noun } = operation
  const execution = await untilEnded({ id, operation, request }, target.executions, (what) =>
    progress.line({ label: 'again', text: `${id}  ${noun}, ${was}: ${what}`, tone: 'plain' }),
  )
  const result = await operation.resultOf(execution, target.journal)
  const exitCode = operation.exitCode(result)
  const tone = exitCode === ExitCode.NeedsPerson ? 'bad' : 'good'
  progress.line({ label: 'again', text: `${id}  ${result.outcome}`, tone })
  return { id, kind: noun, was, outcome: result.outcome, why: result.why ?? null, exitCode }
}

/** Follows an execution that is under way; else starts the next. */
async function untilEnded(
  { id, operation: { stateMachine, noun }, request }: Pick<Waiting, 'id' | 'operation' | 'request'>,
  executions: Executions,
  tell: (what: string) => void,
): Promise<KeptExecution> {
  const { kept, entry } = await findLastEntry(id, (name) => executions.findExecution(stateMachine, name))
  if (kept?.status === 'RUNNING') {
    tell('is under way: following it')
    return executions.untilFinished(kept.executionArn)
  }
  // Anybody may have started an entry with another input: what the record was asked for with counts.
  const input = request === undefined ? kept?.input : JSON.stringify(request)
  if (input === undefined) {
    const message = `its request is not known any more, as its execution is not kept`
    throw usageError('usage', message, `run the same ${noun} again, with the input and the id that it had`)
  }
  if (entry === MOST_ENTRIES) {
    throw usageError(
      'usage',
      `it was entered ${MOST_ENTRIES} times, which is the most`,
      'docs/runbook.md, "People decide"',
    )
  }
  const name = entryName(id, entry + 1)
  tell(`entered as ${name}`)
  const { executionArn } = await executions.startExecution({ stateMachine, name, input })
  return executions.untilFinished(executionArn)
}
