// `sluice cases again`: enters executions that stopped in doubt once more, and prints the result of each.

import { printableJson } from '../../core/printable.ts'
import { type AgainInput, lookAgain } from '../../operations/cases/look-again.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import { type ConnectionFlags, commandIn } from '../../place/words/command-line.ts'
import { ENTERED_COLUMNS, viewOfEntered } from '../../views/again-view.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'
import { createProgress } from '../terminal/progress.ts'

export interface AgainFlags extends ConnectionFlags, ListFlags, Omit<AgainInput, 'id'> {}

/**
 * Exits with 3 where a case still needs a person, or could not be entered.
 * @throws OperationError
 */
export async function again(id: string | undefined, flags: AgainFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output } = context
  assertListFlags(flags, output, ENTERED_COLUMNS)
  const progress = createProgress(output, clock)
  const result = await lookAgain({ ...flags, id }, flags, progress, context).finally(() => progress.end())
  const { entered, exitCode, inNeed, more } = result
  const { facts, notes } = viewOfEntered(result)
  if (output.json) output.data(printableJson(facts))
  else if (entered.length > 0 || flags.csv === true) printList(ENTERED_COLUMNS, entered, flags, context)
  for (const note of notes) output.note(note)
  output.next([...(more > 0 || inNeed > 0 ? [result.again] : []), commandIn('cases list', flags)])
  return exitCode
}
