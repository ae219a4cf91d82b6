// Deletes one dead letter for good, with a reason and consent. It starts nothing. While the person thinks, the letter
// stays visible to others.

import { printable } from '../../core/printable.ts'
import type { WithConsent } from '../../place/consent.ts'
import type { OperationContext } from '../../place/context.ts'
import { readName, readReason } from '../../place/decider.ts'
import type { KeptLetter } from '../../place/events/dead-letter-queue.ts'
import { withEventConnection } from '../../place/events/event-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { findLetter, letterText, noLetter } from './find-letter.ts'

interface DroppedLetter {
  readonly letter: KeptLetter
  /** The letter in words. */
  readonly about: string
  readonly dropped: { readonly by: string; readonly because: string; readonly at: string }
}

/** @throws OperationError: exit 2 for a missing reason, exit 1 for an unknown letter; and what `withConsent` throws */
export async function dropLetter(
  id: string,
  asked: { readonly because?: string; readonly by?: string },
  flags: ConnectionFlags,
  withConsent: WithConsent,
  context: OperationContext,
): Promise<DroppedLetter> {
  const by = readName(asked.by, context.variables)
  const because = readReason(asked.because)
  const letter = await withConsent((consent) =>
    withEventConnection(flags, 'queue', context, async (connection) => {
      const found = await findLetter(id, connection)
      consent.to(`drop dead letter ${printable(found.letterId)} (${letterText(found)}), for good?`)
      const held = await connection.deadLetters.consume(found.letterId, async (each) => each)
      if (held === undefined) throw noLetter(found.letterId, { hasMore: false, hidden: 1 })
      return held
    }),
  )
  return {
    letter,
    about: letterText(letter),
    dropped: { by, because, at: new Date(context.clock.nowMs()).toISOString() },
  }
}
