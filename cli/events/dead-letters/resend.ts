// `sluice events dead-letters resend`: puts the event of a letter on the bus again, and then deletes the letter. In this
// order a crash in between leaves both, which is harmless: the same id moves once.

import { printable, printableJson } from '../../../core/printable.ts'
import { ID_TAKEN } from '../../../core/triggers/requested-start.ts'
import { withEventConnection } from '../../../operations/connection/events/event-connection.ts'
import { findLetter, letterFacts, letterText, noLetter } from '../../../operations/events/find-letter.ts'
import { findStarted } from '../../../operations/events/follow-start.ts'
import { resendable } from '../../../operations/events/resendable.ts'
import { ExitCode } from '../../../operations/exit-code.ts'
import { noteLive } from '../../../operations/note-live.ts'
import { OperationError } from '../../../operations/operation-error.ts'
import { type ConnectionFlags, commandIn, INVOCATION } from '../../../operations/words/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'

export type ResendFlags = ConnectionFlags

/** @throws OperationError (exit 1) for an unknown letter, or an event that cannot be put from here */
export async function resendDeadLetter(id: string, flags: ResendFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const sent = await withEventConnection(flags, 'bus', context, async (connection) => {
    const letter = await findLetter(id, connection, flags)
    const can = resendable(letter.asked, connection.account, connection.treasury.policies)
    if ('why' in can) throw cannot(`${letterText(letter)}: ${can.why}`, can.instead)
    const { event, start } = can
    const known = await findStarted(connection, start)
    if (known === 'other') throw cannot(`${letterText(letter)}: it would be refused again: ${ID_TAKEN}`, DROP)
    noteLive(connection.treasury.service.stage, connection.serviceName, output)
    const eventId = await connection.deadLetters.consume(letter.letterId, () => connection.put(event))
    if (eventId === undefined) throw noLetter(letter.letterId, { hasMore: false, hidden: 1 }, flags)
    return { letter, start, eventId }
  })
  const { letter, start, eventId } = sent
  const { stateMachine, name: execution } = start
  const facts = { ...letterFacts(letter), eventId, stateMachine, execution }
  output.data(
    output.json
      ? printableJson(facts)
      : `${letterText(letter)} is on the bus again, and letter ${printable(letter.letterId)} is deleted; it begins ${execution}, unless that was begun before`,
  )
  output.next([commandIn(`movements show ${execution}`, flags), commandIn('events dead-letters list', flags)])
  return ExitCode.Done
}

const DROP = `have it put again with an id of its own; then ${INVOCATION} events dead-letters drop`

function cannot(why: string, next: string): OperationError {
  const message = `${printable(why)}; nothing was put, and the letter is kept`
  return new OperationError({ exitCode: ExitCode.Failed, code: 'refused', message, next })
}
