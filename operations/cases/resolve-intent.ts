// Records a person's decision on an intent in doubt. At a desk it examines the evidence before it asks for consent, and
// again before it writes. On AWS the function Resolve does this. It records who decided, when and why, and sends
// nothing.

import { randomUUID } from 'node:crypto'
import type { ResolveAnswer } from '../../core/contract/people.ts'
import type { IntentKind } from '../../core/contract/records.ts'
import { Refused } from '../../core/errors.ts'
import { createLanes } from '../../core/journal/lanes.ts'
import { examineDoubt } from '../../core/movements/resolve-doubt.ts'
import { printable } from '../../core/printable.ts'
import { askDoor } from '../../place/aws/ask-door.ts'
import type { PeopleDoor } from '../../place/aws/people-door.ts'
import type { Consent, WithConsent } from '../../place/consent.ts'
import type { OperationContext } from '../../place/context.ts'
import { readReason, readWho } from '../../place/decider.ts'
import { evidenceFailure } from '../../place/journal/journal-failure.ts'
import type { AccountAccess, IntentAccess, PlacedJournal, RecordAccess } from '../../place/journal/journal-parts.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import { advice, type ConnectionFlags, option, type Step } from '../../place/next-step.ts'
import { unfit, usageError } from '../../place/operation-error.ts'
import { withJournalService } from '../../place/place-service.ts'
import { findOneIntent, readIntentKind } from '../movements/record-kind.ts'

/** The person's finding, and their name. Exactly one of `movement` and `none` is given. */
export interface ResolutionInput {
  /** The id of the order or withdrawal that is its movement. */
  readonly movement?: string
  /** The person's finding is that nothing moved. */
  readonly none?: true
  /** `convert` or `withdraw`, where an intent of each kind has the id. */
  readonly kind?: string
  /** The person vouches that the key in use and the key that signed belong to one account. */
  readonly sameAccount?: true
  readonly because?: string
  readonly by?: string
}

export interface ResolvedIntent extends Resolved {
  readonly intentId: string
  readonly movementId: string | undefined
}

/** The person's finding, checked. `by` is empty on AWS, where the function records the caller. */
interface Found {
  readonly intentId: string
  readonly movementId: string | undefined
  readonly isSameAccount: boolean
  readonly by: string
  readonly because: string
}

interface Resolved {
  readonly state: string
  readonly resolution?: ResolveAnswer['resolution']
}

/**
 * @throws OperationError: exit 2 for wrong usage, exit 1 where the evidence contradicts the finding; and what
 * `withConsent` throws
 */
export async function resolveIntent(
  intentId: string,
  asked: ResolutionInput,
  flags: ConnectionFlags,
  withConsent: WithConsent,
  context: OperationContext,
): Promise<ResolvedIntent> {
  const movementId = movementOf(asked)
  const askedKind = readIntentKind(asked.kind)
  const finding = movementId === undefined ? 'nothing moved' : { movement: movementId }
  const vouched: Step = { do: 'resolve', id: intentId, finding, isSameAccount: true }
  const by = readWho({ ...flags, ...asked }, context.variables)
  const because = readReason(asked.because)
  const found = { intentId, movementId, isSameAccount: asked.sameAccount === true, by, because }
  const decide = (consent: Consent) =>
    withJournalConnection(
      flags,
      context,
      async (connection) => {
        try {
          const { door } = connection
          const kind = await kindOf(intentId, askedKind, connection)
          if (door !== undefined) return await resolveByDoor(kind, found, door, consent)
          return await resolveHere(kind, found, { connection, flags, context, consent })
        } catch (error) {
          throw evidenceFailure(error, vouched)
        }
      },
      { asksService: true },
    )
  const { state, resolution } = await withConsent(decide)
  return { intentId, movementId, state, ...(resolution !== undefined && { resolution }) }
}

async function kindOf(intentId: string, asked: IntentKind | undefined, { journal }: IntentAccess): Promise<IntentKind> {
  const named = await findOneIntent(intentId, asked, journal)
  if (named !== undefined) return named.kind
  throw new Refused(`the journal has no ${asked === undefined ? '' : `${asked} `}intent ${intentId}`)
}

function resolveByDoor(
  kind: IntentKind,
  { because, intentId: intent, isSameAccount: sameAccount, movementId }: Found,
  door: PeopleDoor,
  consent: Consent,
): Promise<Resolved> {
  const request = { action: 'resolve', kind, intent, movement: movementId ?? null, sameAccount, because } as const
  return askDoor((agreed) => door.resolve({ ...request, ...agreed }), consent)
}

interface Here {
  readonly connection: PlacedJournal & IntentAccess & AccountAccess & RecordAccess
  readonly flags: ConnectionFlags
  readonly context: OperationContext
  readonly consent: Consent
}

function resolveHere(
  kind: IntentKind,
  { because, by, ...found }: Found,
  { consent, context, flags, connection }: Here,
): Promise<Resolved> {
  const { clock } = context
  const { findPin, journal, store, treasury } = connection
  const lanes = createLanes(store, journal, randomUUID)
  return withJournalService(connection, flags, context, async (service) => {
    const ports = { journal, lanes, service, clock, findPin, timing: treasury.timing }
    const { carryOut, question } = await examineDoubt({ kind, ...found }, ports)
    consent.to(printable(question))
    return carryOut({ by, because, at: new Date(clock.nowMs()).toISOString() })
  })
}

function movementOf({ movement, none }: ResolutionInput): string | undefined {
  const next = { do: 'list-cases', why: 'shows the candidates' } as const
  if ((movement === undefined) === (none === undefined)) {
    const got = none ? 'both' : 'neither'
    throw usageError(
      'usage',
      advice`${option('movement')} and ${option('none')}: expected one of them; got ${got}`,
      next,
    )
  }
  if (movement === '') throw unfit('movement', 'expected an id; got nothing', next)
  return movement
}
