// `sluice halt` and `sluice resume`: set or lift a halt, and print what the journal then shows. `sluice resume --all`
// lifts the halts of an outage, by breakers that tripped because runs did not settle, and with --halts all others. It
// shows every halt in force, and asks once. Then what people decided during the halt is carried out.

import { carriedExitCode, carryOn } from '../../operations/cases/carry-on.ts'
import { resumeAllExitCode, resumeAllSending } from '../../operations/cases/resume-all.ts'
import { haltSending, resumeExitCode, resumeSending, type SwitchInput } from '../../operations/cases/switch-sending.ts'
import { resumeStep } from '../../operations/words/halt-words.ts'
import type { NamedRun } from '../../operations/words/run-name.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { advice, type ConnectionFlags, option } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import { carriedNotes, viewOfHalt, viewOfResume, viewOfResumeAll } from '../../views/switched.ts'
import type { ConsentFlags } from '../terminal/consent.ts'
import { askingAt } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { printView } from '../terminal/print-result-view.ts'
import { createProgress } from '../terminal/progress.ts'

const RESUME_ALL = { do: 'resume', isAll: true } as const

interface HaltFlags extends ConnectionFlags, SwitchInput {}

/** @throws OperationError (exit 2) for an unknown policy, or a person without a name */
export async function halt(flags: HaltFlags, context: CommandContext): Promise<ExitCode> {
  const halted = await haltSending(flags, flags, context)
  const { notHalted: service, record } = halted
  printView(viewOfHalt(halted), context)
  const { because, by, policy } = flags
  const at = { ...flags, ...(service !== undefined && { service }) }
  const also = { do: 'halt', given: { policy, because, by }, at, why: 'halts that service' } as const
  context.output.next([...(service === undefined ? [] : [also]), resumeStep(record.scope), { do: 'list-cases' }])
  return ExitCode.Done
}

interface ResumeOneFlags extends HaltFlags {
  readonly halts?: true
}

/**
 * Without a halt it changes nothing, says so, and exits with 0. Exits with 4 while another person must resume too.
 * @throws OperationError, as `halt` does
 */
export async function resume(flags: ResumeOneFlags, context: CommandContext): Promise<ExitCode> {
  if (flags.halts === true) {
    throw unfit('halts', 'expected --all with it; got it alone', advice`${RESUME_ALL} ${option('halts')}`)
  }
  const resumed = await resumeSending(flags, flags, context)
  printView(viewOfResume(resumed), context)
  const exitCode = await carryOnAfter(resumed, resumeExitCode(resumed), flags, context)
  context.output.next([...resumed.still.map(({ scope }) => resumeStep(scope)), { do: 'list-cases' }])
  return exitCode
}

/** Carries out what people decided during the halt, after the result of the resume is printed. */
async function carryOnAfter(
  { decided }: { readonly decided: readonly NamedRun[] },
  resumed: ExitCode,
  flags: ConnectionFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { clock, output } = context
  const carried = await carryOn(decided, flags, () => createProgress(output, clock), context)
  for (const note of carriedNotes(carried)) output.note(note)
  return carriedExitCode(resumed, carried)
}

export interface ResumeFlags extends HaltFlags, ConsentFlags {
  readonly all?: true
  readonly halts?: true
}

/**
 * Exits with 1 where a halt could not be lifted, and with 4 where another person must resume too. Otherwise exits with 3
 * where a run that then continues needs a person.
 * @throws OperationError: exit 2 for flags and missing consent
 */
export async function resumeAll(flags: ResumeFlags, context: CommandContext): Promise<ExitCode> {
  if (flags.policy !== undefined) {
    throw unfit('all', 'expected it by itself; got --policy too, which names one switch', RESUME_ALL)
  }
  const done = await resumeAllSending(flags, flags, askingAt(flags, context), context)
  printView(viewOfResumeAll(done), context)
  const exitCode = await carryOnAfter(done, resumeAllExitCode(done), flags, context)
  context.output.next([
    ...(done.failed.length > 0 ? [RESUME_ALL] : []),
    ...(done.still ?? []).map(({ scope }) => resumeStep(scope)),
    { do: 'list-cases' },
  ])
  return exitCode
}
