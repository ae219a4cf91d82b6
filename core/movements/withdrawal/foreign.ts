// A person's word that a movement is not ours: made by others, or by hand. Claimed for nobody, so that it
// stands in the way of no intent in doubt. Refused where a machine could still take that word for a zero. The word itself is
// a record of its own, which no step of a run may write: whoever takes over Withdraw can claim a movement for nobody, and
// cannot say that a person did.
import { mayNameSame } from '../../contract/fields.ts'
import { FOREIGN, type IntentKind, IntentState } from '../../contract/records.ts'
import { Refused } from '../../errors.ts'
import { type Intent, isConversion, isOpened, type OpenIntent } from '../../journal/intent.ts'
import type { Journal, PersonsWord } from '../../journal/journal.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { DATING_SLACK_MS } from './known-rows.ts'
import { rowsLike } from './match.ts'
import { candidatesIn } from './report.ts'

/** A movement that the service shows. `row` where it is a withdrawal, `order` where it is an order. */
export interface ShownMovement {
  readonly kind: IntentKind
  readonly id: string
  readonly row?: WithdrawalState
  readonly order?: { readonly side: string; readonly createdAt: string }
}

interface Shown {
  readonly createdAt?: string
  readonly assetSymbol?: string | null
  readonly side?: string
}

/** The intents in doubt that may have made a movement: a machine goes on with those, or a person decides. */
export function findInDoubt(movement: ShownMovement, intents: readonly Intent[]): readonly Intent[] {
  return intents.filter((intent) => mayBe(intent, movement))
}

/**
 * The intents that wait for a person and may be this movement: declared foreign, it is theirs no more. `notOf`: ids of
 * those of which a person says that it is not.
 * @throws Refused where one of them is not named, for a zero made so would be false; and where an intent that no person
 * was asked about may be it: a machine would send again
 */
export function findWaitingFor(
  movement: ShownMovement,
  intents: readonly Intent[],
  notOf: readonly string[],
): readonly Intent[] {
  const likely = findInDoubt(movement, intents)
  const armed = likely.find(({ state }) => state === IntentState.Armed)
  if (armed !== undefined) {
    throw new Refused(
      `${movement.id} may be the movement of intent ${armed.intentId}, which is not settled: enter it again first`,
    )
  }
  const [unnamed] = likely.filter(({ intentId }) => !notOf.includes(intentId))
  if (unnamed !== undefined) {
    throw new Refused(
      `${movement.id} may be the movement of intent ${unnamed.intentId}, which waits for a person: settle it first; or, where it is certainly not its movement, say so with --not-of ${unnamed.intentId}`,
    )
  }
  return likely
}

function mayBe(intent: Intent, { kind, id, row, order }: ShownMovement): boolean {
  if (intent.kind !== kind) return false
  if (intent.state !== IntentState.Armed && intent.state !== IntentState.Escalated) return false
  if (!isOpened(intent)) return mayBeOfLost(intent, row ?? order)
  // An order is known by its id before it is sent.
  if (isConversion(intent)) return intent.attempt?.orderId === id
  // Its figures decide, whatever asset the row names: the service may spell it otherwise.
  if (intent.attempt === undefined || row === undefined) return false
  return rowsLike(intent, [row]).length > 0 || isNamed(id, intent.evidence)
}

/** Where a thing is not told, on either side, it does not speak against it. */
function mayBeOfLost({ params, createdAt, frozen }: Exclude<Intent, OpenIntent>, shown: Shown = {}): boolean {
  const atMs = Date.parse(shown.createdAt ?? '')
  if (frozen.isEnteredAgain !== true && atMs < Date.parse(createdAt) - DATING_SLACK_MS) return false
  const { assetSymbol, side }: { readonly assetSymbol?: unknown; readonly side?: unknown } = params
  const { assetSymbol: ofAsset, side: ofSide } = shown
  if (typeof assetSymbol === 'string' && typeof ofAsset === 'string' && !mayNameSame(assetSymbol, ofAsset)) return false
  // A side that is neither is a side that cannot be told.
  return ![side, ofSide].every((each) => each === 'BUY' || each === 'SELL') || side === ofSide
}

/** What a person was shown as perhaps the intent's, such as the row that a yes has named, may be unlike what was asked for. */
function isNamed(id: string, evidence: unknown): boolean {
  return candidatesIn(evidence).some((candidate) => candidate.id === id)
}

/**
 * Once said it stays said. The claim comes first, so that no intent can take the movement beside the word. Cut off between the
 * two, the audit tells the claim, and the same word given again ends it. @throws Refused where an intent holds it. @throws Transient
 */
export async function declareForeign(
  { kind, id }: ShownMovement,
  word: PersonsWord,
  journal: Pick<Journal, 'claim' | 'keepForeign'>,
): Promise<void> {
  const holder = await journal.claim(kind, id, FOREIGN)
  if (holder !== undefined) throw new Refused(`movement ${id} is claimed by intent ${holder}`)
  await journal.keepForeign(kind, id, word)
}
