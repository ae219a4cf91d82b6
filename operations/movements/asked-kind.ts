// The kinds of what was asked for, as `--kind` names them, and the one intent that a person means by an id and a kind.
// Reads only.
import { IntentKind } from '../../core/contract/records.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { type FindIntent, findOfEitherKind } from '../../core/journal/journal.ts'
import { printable } from '../../core/printable.ts'
import { nearestHint } from '../../core/treasury/nearest-name.ts'
import { usageError } from '../operation-error.ts'

export const AskedKind = { Convert: 'convert', Withdraw: 'withdraw', Run: 'run' } as const
export type AskedKind = (typeof AskedKind)[keyof typeof AskedKind]

/** People also name a kind by what became of it. */
const WORDS: ReadonlyMap<string, AskedKind> = new Map([
  ['convert', AskedKind.Convert],
  ['conversion', AskedKind.Convert],
  ['order', AskedKind.Convert],
  ['withdraw', AskedKind.Withdraw],
  ['withdrawal', AskedKind.Withdraw],
  ['run', AskedKind.Run],
])

/** Of intents alone. @throws OperationError (exit 2) for another word, and for `run` */
export function readIntentKind(text: string | undefined): IntentKind | undefined {
  const kind = readKind(text)
  if (kind !== AskedKind.Run) return kind
  throw usageError('usage', '--kind: expected convert or withdraw; got run', 'correct --kind')
}

/**
 * The one intent that a person means: each kind may have one of the same id. `undefined` for none.
 * @throws OperationError (exit 2) where both have it, and the kind is not said
 */
export async function findOneIntent(
  intentId: string,
  kind: IntentKind | undefined,
  journal: FindIntent,
): Promise<Intent | undefined> {
  if (kind !== undefined) return journal.find(intentId, kind)
  const [one, other] = await findOfEitherKind(journal, intentId)
  if (other === undefined) return one
  const message = `${printable(intentId)} is the id of a conversion and of a withdrawal; which is meant is not said`
  throw usageError('usage', message, `the same command with --kind ${Object.values(IntentKind).join(' or --kind ')}`)
}

/** @throws OperationError (exit 2) for another word */
export function readKind(text: string | undefined): AskedKind | undefined {
  if (text === undefined) return undefined
  const kind = WORDS.get(text.toLowerCase())
  if (kind !== undefined) return kind
  const hint = nearestHint(text, [...WORDS.keys()])
  throw usageError('usage', `--kind: expected convert, withdraw or run; got another${hint}`, 'correct --kind')
}
