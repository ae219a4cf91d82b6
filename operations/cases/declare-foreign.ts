// Records a person's decision that a movement on the account is somebody else's: who, when and why. Before consent, the
// movement is compared with the intents in doubt, here at a desk, and on AWS by the function DeclareForeign. It moves no money.

import { IntentKind } from '../../core/contract/records.ts'
import { type Declared, type Declaring, examineForeign } from '../../core/movements/withdrawal/examine-foreign.ts'
import { printable } from '../../core/printable.ts'
import { askDoor } from '../../place/aws/ask-door.ts'
import type { Consent, WithConsent } from '../../place/consent.ts'
import type { OperationContext } from '../../place/context.ts'
import { readReason, readWho, type Who } from '../../place/decider.ts'
import { evidenceFailure } from '../../place/journal/journal-failure.ts'
import { type JournalConnection, withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { unfit, usageError } from '../../place/operation-error.ts'
import { withJournalService } from '../../place/place-service.ts'

/** Who declares it, and why. */
export interface ForeignInput extends Pick<Who, 'by'> {
  readonly because?: string
  readonly kind?: string
  /** Ids of intents in doubt that did not make the movement, as the person declares. */
  readonly notOf?: readonly string[]
}

/** It names the movements that nothing explains. */
const AUDIT = { do: 'audit' } as const

/**
 * @throws OperationError: exit 2 for wrong usage, exit 1 where the evidence contradicts the declaration; and what
 * `withConsent` throws
 */
export async function declareForeign(
  movementId: string,
  asked: ForeignInput,
  flags: ConnectionFlags,
  withConsent: WithConsent,
  context: OperationContext,
): Promise<Declared> {
  if (movementId === '') {
    throw usageError('usage', 'movement: expected the id of an order or a withdrawal; got nothing', AUDIT)
  }
  const declaring: Declaring = { movementId, kind: readKind(asked.kind), notOf: asked.notOf ?? [] }
  const by = readWho({ ...flags, ...asked }, context.variables)
  const because = readReason(asked.because)
  const decision = { by, because, at: new Date(context.clock.nowMs()).toISOString() }
  const declare = async (connection: JournalConnection, consent: Consent) => {
    const { allOpenIntents, door, journal } = connection
    if (door !== undefined) {
      const { kind, notOf } = declaring
      const request = { action: 'foreign', movement: movementId, ...(kind && { kind }), because } as const
      return askDoor((agreed) => door.declareForeign({ ...request, notOf: [...notOf], ...agreed }), consent)
    }
    return withJournalService(connection, flags, context, async (service) => {
      const ports = { journal, service, openIntents: () => allOpenIntents(), laggingAtMs: undefined }
      const { carryOut, question } = await examineForeign(declaring, ports)
      consent.to(printable(question))
      return carryOut(decision)
    })
  }
  const work = (consent: Consent) =>
    withJournalConnection(
      flags,
      context,
      async (connection) => {
        try {
          return await declare(connection, consent)
        } catch (error) {
          throw evidenceFailure(error)
        }
      },
      { asksService: true },
    )
  return withConsent(work)
}

const KINDS: ReadonlyMap<string, IntentKind> = new Map([
  ['order', IntentKind.Convert],
  ['withdrawal', IntentKind.Withdraw],
])

function readKind(asked: string | undefined): IntentKind | undefined {
  if (asked === undefined) return undefined
  const kind = KINDS.get(asked)
  if (kind !== undefined) return kind
  throw unfit('kind', 'expected order or withdrawal; got something else', { ...AUDIT, why: 'shows which it is' })
}
