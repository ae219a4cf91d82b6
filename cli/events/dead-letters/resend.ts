// `sluice events dead-letters resend` puts the event of a letter on the bus again, and prints what it begins. `sluice
// events dead-letters drop` asks for consent, and prints which dead letter was deleted.

import { printable, printableJson } from '../../../core/printable.ts'
import { dropLetter } from '../../../operations/events/drop-letter.ts'
import { letterFacts } from '../../../operations/events/find-letter.ts'
import { resendLetter } from '../../../operations/events/resend-letter.ts'
import { shownDetail } from '../../../operations/events/shown-detail.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { type ConnectionFlags, commandIn } from '../../../place/words/command-line.ts'
import { resentText } from '../../../views/result-view.ts'
import type { DecisionFlags } from '../../terminal/consent.ts'
import { askingAt } from '../../terminal/consent-apart.ts'
import type { CommandContext } from '../../terminal/context.ts'

export type ResendFlags = ConnectionFlags

/** @throws OperationError (exit 1) for an unknown letter, or an event that cannot be put from here */
export async function resendDeadLetter(id: string, flags: ResendFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const sent = await resendLetter(id, flags, context)
  const { stateMachine, name: execution } = sent.start
  const facts = { ...letterFacts(sent.letter), eventId: sent.eventId, stateMachine, execution }
  output.data(output.json ? printableJson(facts) : resentText(sent))
  output.next([commandIn(`movements show ${execution}`, flags), commandIn('events dead-letters list', flags)])
  return ExitCode.Done
}

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
