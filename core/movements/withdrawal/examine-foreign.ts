// Takes a person's decision that a movement is foreign, from its evidence to its record. A desk and the function DeclareForeign
// use it. It sends nothing.
import { IntentKind } from '../../contract/records.ts'
import { Refused } from '../../errors.ts'
import type { Intent } from '../../journal/intent.ts'
import type { Journal, PersonsDecision } from '../../journal/journal.ts'
import type { PersonsQuestion } from '../../journal/persons-question.ts'
import type { WithdrawalService } from '../../service/ports.ts'
import { declareForeign, findWaitingFor, type ShownMovement } from './foreign.ts'

export interface Declaring {
  readonly movementId: string
  /** Absent: the kind that has a movement with this id. */
  readonly kind: IntentKind | undefined
  /** Ids of intents in doubt that did not make the movement, as the person says. */
  readonly notOf: readonly string[]
}

interface MovementReads extends Pick<WithdrawalService, 'findWithdrawal'> {
  findOrder(id: string): Promise<ShownMovement['order'] | undefined>
}

export interface DeclarePorts {
  readonly journal: Pick<Journal, 'claim' | 'findForeign' | 'keepForeign'>
  readonly service: MovementReads
  /** All intents that are not settled: the movement may belong to any of them. */
  openIntents(): Promise<readonly Intent[]>
  /**
   * The current time in epoch ms, where the list of open intents may lag behind. Undefined at a desk, which writes the list
   * with the intent.
   */
  readonly laggingAtMs: number | undefined
}

export interface Declared {
  /** The recorded declaration. The first one stays, even if it is repeated. */
  readonly foreign: PersonsDecision
  /** Ids of intents that wait for a person, and might have made the movement. */
  readonly waiting: readonly string[]
}

/**
 * Writes nothing.
 * @throws Refused with the evidence against it.
 * @throws Transient, Defect
 */
export async function examineForeign(
  { movementId, kind, notOf }: Declaring,
  { journal, laggingAtMs, openIntents, service }: DeclarePorts,
): Promise<PersonsQuestion<Declared>> {
  const movement = await findMovement(movementId, kind, service)
  if (laggingAtMs !== undefined) assertIndexHasCaughtUp(movement, laggingAtMs)
  const waiting = findWaitingFor(movement, await openIntents(), notOf).map(({ intentId }) => intentId)
  return {
    question: questionOf(movement, waiting),
    async carryOut(word) {
      await declareForeign(movement, word, journal)
      const { by, because, at } = (await journal.findForeign(movement.kind, movement.id)) ?? word
      return { foreign: { by, because, at }, waiting }
    },
  }
}

/**
 * Ids are unique only within their kind.
 * @throws Refused for no movement, and where both kinds have the id and `kind` is undefined
 */
export async function findMovement(
  id: string,
  kind: IntentKind | undefined,
  service: MovementReads,
): Promise<ShownMovement> {
  const row = kind === IntentKind.Convert ? undefined : await service.findWithdrawal(id)
  const order = kind === IntentKind.Withdraw ? undefined : await service.findOrder(id)
  if (row !== undefined && order !== undefined) {
    throw new Refused(
      `a withdrawal and an order have the id ${id}: say which is meant, with --kind withdrawal or --kind order`,
    )
  }
  if (row !== undefined) return { kind: IntentKind.Withdraw, id, row }
  if (order !== undefined) {
    const { side, createdAt } = order
    return { kind: IntentKind.Convert, id, order: { side, createdAt } }
  }
  const missing = kind === undefined ? 'withdrawal and no order' : kind === IntentKind.Convert ? 'order' : 'withdrawal'
  throw new Refused(`the service has no ${missing} ${id}`)
}

/**
 * Minimum age in milliseconds of a movement on AWS, generous for the index that lists the intents that may have made it.
 * DynamoDB fills an index within moments, without a promise. An intent is in that list before it sends, so its entry is older
 * than its movement.
 */
const LEAST_AGE_MS = 5 * 60_000

/**
 * A movement whose time cannot be read is accepted.
 * @throws Refused for a movement whose own intent may not be in the index yet
 */
export function assertIndexHasCaughtUp({ id, row, order }: ShownMovement, nowMs: number): void {
  const atMs = Date.parse((row ?? order)?.createdAt ?? '')
  if (!(nowMs - atMs < LEAST_AGE_MS)) return
  const from = new Date(atMs + LEAST_AGE_MS).toISOString()
  throw new Refused(
    `${id} was made less than ${LEAST_AGE_MS / 60_000} minutes ago, and its own intent may not be listed yet: repeat the command from ${from} on`,
  )
}

function questionOf({ id, row }: ShownMovement, waiting: readonly string[]): string {
  const movement = row === undefined ? `order ${id}` : `withdrawal ${id} of ${row.total} ${row.assetSymbol ?? ''}`
  const doubt = waiting.length === 0 ? '' : `, though it may be the movement of ${waiting.join(', ')}`
  return `declare ${movement.trimEnd()} to be somebody else's, for good${doubt}?`
}
