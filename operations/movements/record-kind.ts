// Names the kinds of requests, with the state machines of each. Reads the kind that a person names, finds the one intent of an
// id and a kind, and tells the movement of an intent. Writes nothing.

import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { MACHINE_OF_INTENTS, StateMachine } from '../../core/contract/states.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { type FindIntent, findOfEitherKind } from '../../core/journal/journal.ts'
import { printable } from '../../core/printable.ts'
import { nearestHint } from '../../core/treasury/nearest-name.ts'
import { advice, option, options } from '../../place/next-step.ts'
import { unfit, usageError } from '../../place/operation-error.ts'

export const RequestKind = { Convert: 'convert', Withdraw: 'withdraw', Run: 'run' } as const
export type RequestKind = (typeof RequestKind)[keyof typeof RequestKind]

/** The state machines that carry out requests of each kind. */
export const MACHINES_OF: Readonly<Record<RequestKind, readonly StateMachine[]>> = {
  convert: [MACHINE_OF_INTENTS.convert],
  withdraw: [MACHINE_OF_INTENTS.withdraw],
  run: [StateMachine.Rebalance, StateMachine.Sweep],
}

/** People also name a kind by the movement that it makes. */
const WORDS: ReadonlyMap<string, RequestKind> = new Map([
  ['convert', RequestKind.Convert],
  ['conversion', RequestKind.Convert],
  ['order', RequestKind.Convert],
  ['withdraw', RequestKind.Withdraw],
  ['withdrawal', RequestKind.Withdraw],
  ['run', RequestKind.Run],
])

/** Reads a kind of intent. @throws OperationError (exit 2) for another word, and for `run` */
export function readIntentKind(text: string | undefined): IntentKind | undefined {
  const kind = readKind(text)
  if (kind !== RequestKind.Run) return kind
  throw unfit('kind', 'expected convert or withdraw; got run')
}

/**
 * The one intent that a person means; undefined where it does not exist. Each kind may have an intent of the same id.
 * @throws OperationError (exit 2) where both kinds have it, and no kind is given
 */
export async function findOneIntent(
  intentId: string,
  kind: IntentKind | undefined,
  journal: FindIntent,
): Promise<Intent | undefined> {
  if (kind !== undefined) return journal.find(intentId, kind)
  const [first, second] = await findOfEitherKind(journal, intentId)
  if (second === undefined) return first
  const message = advice`${printable(intentId)} is the id of a conversion and of a withdrawal; ${option('kind')} says which is meant`
  throw usageError('usage', message, advice`the same command with ${options('kind', Object.values(IntentKind))}`)
}

/** @throws OperationError (exit 2) for another word */
export function readKind(text: string | undefined): RequestKind | undefined {
  if (text === undefined) return undefined
  const kind = WORDS.get(text.toLowerCase())
  if (kind !== undefined) return kind
  const hint = nearestHint(text, [...WORDS.keys()])
  throw unfit('kind', `expected convert, withdraw or run; got something else${hint}`)
}

/** The movement by which an intent is DONE. In any other state it has no movement, whatever its record names. */
export function movementIdOf({ state, ref }: Intent): string | undefined {
  return state === IntentState.Done ? ref : undefined
}
