// `sluice resume --all`: lifts the halts of an outage, by breakers that tripped because runs did not settle, and with
// --halts all others. Shows every halt in force, asks once, and prints the lifted ones. Then it carries out what people
// decided during them.

import { resumeAllExitCode, resumeAllSending } from '../../operations/cases/resume-all.ts'
import { resumeCommand } from '../../operations/words/halt-words.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import { usageError } from '../../place/operation-error.ts'
import { commandIn, commandWith } from '../../place/words/command-line.ts'
import { viewOfResumeAll } from '../../views/switched.ts'
import type { ConsentFlags } from '../terminal/consent.ts'
import { askingAt } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { printView } from '../terminal/print-result-view.ts'
import { carryOnAfter, type HaltFlags } from './halt.ts'

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
    const next = commandIn('resume --all', flags)
    throw usageError('usage', '--all: expected it by itself; got --policy too, which names one switch', next)
  }
  const done = await resumeAllSending(flags, flags, askingAt(flags, context), context)
  printView(viewOfResumeAll(done), context)
  const exitCode = await carryOnAfter(done, resumeAllExitCode(done), flags, context)
  context.output.next([
    ...(done.failed.length > 0 ? [commandWith('resume --all', flags)] : []),
    ...(done.still ?? []).map(({ scope }) => resumeCommand(scope, flags)),
    commandIn('cases list', flags),
  ])
  return exitCode
}
