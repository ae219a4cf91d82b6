// `sluice events dead-letters resend`: puts the event of a letter on the bus again, and prints what it begins.

import { printableJson } from '../../../core/printable.ts'
import { letterFacts } from '../../../operations/events/find-letter.ts'
import { resendLetter } from '../../../operations/events/resend-letter.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { type ConnectionFlags, commandIn } from '../../../place/words/command-line.ts'
import { resentText } from '../../../views/letters.ts'
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
