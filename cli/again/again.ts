// `sluice again`: finds where to enter what stopped in doubt (a desk, this process, or AWS), and tells what became of each.
// How one is entered is in enter.ts.

import type { Clock } from '../../core/clock.ts'
import { KeyRole, type Treasury } from '../../core/contract/treasury.ts'
import { printable, printableJson } from '../../core/printable.ts'
import { type Done, type Entered, enterArmed, enterOne } from '../../operations/cases/enter.ts'
import { admitService, assertAdmitted } from '../../operations/connection/account/admit-service.ts'
import { readNamedService } from '../../operations/connection/configuration.ts'
import { treasuryFor } from '../../operations/connection/deployed-configuration.ts'
import type { Desk } from '../../operations/connection/desk/desk-file.ts'
import { journalFailure } from '../../operations/connection/journal/journal-failure.ts'
import { sendingRoles } from '../../operations/connection/named-policy.ts'
import { resolveTarget } from '../../operations/connection/settings.ts'
import { type EmbeddedSession, withEmbeddedSession } from '../../operations/desk/embedded-session.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { orInterrupted, untilInterrupted } from '../../operations/interruption.ts'
import { readKind } from '../../operations/movements/asked-kind.ts'
import { noteLive } from '../../operations/note-live.ts'
import { usageError } from '../../operations/operation-error.ts'
import type { Progress } from '../../operations/progress.ts'
import { type RunTarget, withRemoteTarget } from '../../operations/runs/run-target.ts'
import type { Column } from '../../operations/words/column.ts'
import { commandIn, commandWith, quoted, type TargetFlags } from '../../operations/words/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'
import { createProgress } from '../terminal/progress.ts'

export interface AgainFlags extends TargetFlags, ListFlags {
  readonly armed?: true
  readonly kind?: string
}

const columns: readonly Column<Entered>[] = [
  { title: 'id', text: ({ id }) => id, isId: true },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'was', text: ({ was }) => was },
  { title: 'outcome', text: ({ outcome }) => outcome },
  { title: 'why', text: ({ why }) => why ?? '', isDetail: true },
]

/** Exits with 3 where something still needs a person, or could not be entered. @throws OperationError */
export async function again(id: string | undefined, flags: AgainFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, columns)
  if ((id === undefined) === (flags.armed === undefined)) {
    const got = id === undefined ? 'neither' : 'both'
    const next = `${commandIn('attention', flags)}   # what waits`
    throw usageError('usage', `again: expected the id of an intent or a run, or --armed; got ${got}`, next)
  }
  const kind = readKind(flags.kind)
  const command = commandWith(
    `again ${id === undefined ? '--armed' : quoted(id)}${kind === undefined ? '' : ` --kind ${kind}`}`,
    flags,
  )
  const { entered, more, isCutOff, unreadable } = await enterAt(
    id,
    (target, progress) =>
      id === undefined ? enterArmed(target, progress) : enterOne({ id, kind }, flags, target, progress),
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
  const where = flags.aws === true ? treasury.service.url : settings.service?.url
  // In the built-in sandbox there is no real money.
  if (where !== undefined) noteLive(treasury.service.stage, where, output)
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
