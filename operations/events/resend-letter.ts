// Puts the event of a dead letter on the bus again, and then deletes the letter. In this order a crash in between leaves
// both, which is harmless: the same id moves once.

import { printable } from '../../core/printable.ts'
import { ID_TAKEN } from '../../core/triggers/requested-start.ts'
import type { Start } from '../../core/triggers/starter.ts'
import type { OperationContext } from '../../place/context.ts'
import type { KeptLetter } from '../../place/events/dead-letter-queue.ts'
import { withEventConnection } from '../../place/events/event-connection.ts'
import { type Advice, advice, type ConnectionFlags } from '../../place/next-step.ts'
import { failedWith, type OperationError } from '../../place/operation-error.ts'
import { findLetter, letterText, noLetter } from './find-letter.ts'
import { findStarted } from './follow-start.ts'
import { resendable } from './resendable.ts'

export interface ResentLetter {
  readonly letter: KeptLetter
  /** The letter in words. */
  readonly about: string
  /** The execution that it begins, or that an earlier put began. */
  readonly start: Start
  /** EventBridge's id of this put. */
  readonly eventId: string
}

/** @throws OperationError (exit 1) for an unknown letter, or an event that cannot be put from here */
export function resendLetter(id: string, flags: ConnectionFlags, context: OperationContext): Promise<ResentLetter> {
  return withEventConnection(flags, 'bus', context, async (connection) => {
    const letter = await findLetter(id, connection)
    const can = resendable(letter.asked, connection.account, connection.treasury.policies)
    if ('why' in can)
      throw cannot(`${letterText(letter)}: ${can.why}`, can.isToDrop ? advice`${can.instead}${DROP}` : can.instead)
    const { event, start } = can
    const known = await findStarted(connection, start)
    if (known === 'other')
      throw cannot(`${letterText(letter)}: it would be refused again: ${ID_TAKEN}`, advice`${ANEW}${DROP}`)
    context.output.service(connection.service)
    const eventId = await connection.deadLetters.consume(letter.letterId, () => connection.put(event))
    if (eventId === undefined) throw noLetter(letter.letterId, { hasMore: false, hidden: 1 })
    return { letter, about: letterText(letter), start, eventId }
  })
}

const ANEW = 'have it put again with an id of its own'
const DROP = advice`; then ${{ do: 'drop-letter' }}`

function cannot(why: string, next: Advice): OperationError {
  const message = `${printable(why)}; nothing was put, and the letter is kept`
  return failedWith('refused', message, next)
}
