// `sluice events dead-letters drop`: deletes one dead letter for good, with a reason and consent. It must not start the
// run that the letter asked for.

import { printable, printableJson } from '../../../core/printable.ts'
import { withEventConnection } from '../../../operations/connection/events/event-connection.ts'
import { readName, readReason } from '../../../operations/decider.ts'
import { findLetter, letterFacts, letterText, noLetter } from '../../../operations/events/find-letter.ts'
import { shownDetail } from '../../../operations/events/shown-detail.ts'
import { ExitCode } from '../../../operations/exit-code.ts'
import { type ConnectionFlags, commandIn } from '../../../operations/words/command-line.ts'
import { type DecisionFlags, requireConsent } from '../../terminal/consent.ts'
import type { CommandContext } from '../../terminal/context.ts'

export interface DropFlags extends ConnectionFlags, DecisionFlags {}

/** @throws OperationError: exit 2 for missing consent, exit 1 for an unknown letter */
export async function dropDeadLetter(id: string, flags: DropFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output, variables } = context
  const by = readName(flags.by, variables)
  const because = readReason(flags.because)
  const letter = await withEventConnection(flags, 'queue', context, async (connection) => {
    // The person may take long to answer, and others must be able to see the letter meanwhile.
    const found = await findLetter(id, connection, flags)
    const question = `drop dead letter ${printable(found.letterId)} (${letterText(found)}), for good?`
    await requireConsent(question, flags, context)
    const dropped = await connection.deadLetters.consume(found.letterId, async (held) => held)
    if (dropped === undefined) throw noLetter(found.letterId, { hasMore: false, hidden: 1 }, flags)
    return dropped
  })
  const at = new Date(clock.nowMs()).toISOString()
  const { shown: detail } = shownDetail(letter.asked.detail)
  output.data(
    output.json
      ? printableJson({ ...letterFacts(letter), detail, dropped: { by, because, at } })
      : `dropped: ${letterText(letter)}, letter ${printable(letter.letterId)}`,
  )
  output.next([commandIn('events dead-letters list', flags)])
  return ExitCode.Done
}
