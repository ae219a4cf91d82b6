// `sluice events dead-letters drop`: asks for consent, and prints which dead letter was deleted.

import { printable, printableJson } from '../../../core/printable.ts'
import { dropLetter } from '../../../operations/events/drop-letter.ts'
import { letterFacts } from '../../../operations/events/find-letter.ts'
import { shownDetail } from '../../../operations/events/shown-detail.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { type ConnectionFlags, commandIn } from '../../../place/words/command-line.ts'
import type { DecisionFlags } from '../../terminal/consent.ts'
import { askingAt } from '../../terminal/consent-apart.ts'
import type { CommandContext } from '../../terminal/context.ts'

export interface DropFlags extends ConnectionFlags, DecisionFlags {}

/** @throws OperationError: exit 2 for missing consent, exit 1 for an unknown letter */
export async function dropDeadLetter(id: string, flags: DropFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { letter, about, dropped } = await dropLetter(id, flags, flags, askingAt(flags, context), context)
  const { shown: detail } = shownDetail(letter.asked.detail)
  output.data(
    output.json
      ? printableJson({ ...letterFacts(letter), detail, dropped })
      : `dropped: ${about}, letter ${printable(letter.letterId)}`,
  )
  output.next([commandIn('events dead-letters list', flags)])
  return ExitCode.Done
}
