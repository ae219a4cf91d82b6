// Records a person's decision that a movement is foreign: others made it, or a person by hand. It is then claimed for
// nobody, so that it blocks no intent in doubt. Refuses where a machine could still take that for a certified zero. The
// decision is a record that no step may write: whoever takes over Withdraw can claim a movement for nobody, and cannot
// pretend that a person decided so.
import { mayNameSame } from '../../contract/fields.ts'
import { FOREIGN, type IntentKind, IntentState } from '../../contract/records.ts'
import { Refused } from '../../errors.ts'
import { type Intent, isConversion, isOpened, type OpenIntent } from '../../journal/intent.ts'
import type { Journal, PersonsDecision } from '../../journal/journal.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { DATING_SLACK_MS } from './known-rows.ts'
import { rowsLike } from './match.ts'
import { candidatesIn } from './report.ts'

/** A movement that the service shows. `row` for a withdrawal, `order` for an order. */
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

/** The intents in doubt that may have made the movement: a machine settles some of them, a person the others. */
export function findInDoubt(movement: ShownMovement, intents: readonly Intent[]): readonly Intent[] {
  return intents.filter((intent) => mayBe(intent, movement))
}

/**
 * The intents that wait for a person and may have made this movement: once it is declared foreign, it cannot be theirs.
 * `notOf`: ids of intents that did not make it, as the person says. Without an entry in `notOf` such an intent could be settled
 * as a false zero. An ARMED intent could send again: no person decides on it.
 * @throws Refused for an ARMED intent that may have made it, or a waiting one that `notOf` lacks
 */
export function findWaitingFor(
  movement: ShownMovement,
  intents: readonly Intent[],
  notOf: readonly string[],
): readonly Intent[] {
  const candidates = findInDoubt(movement, intents)
  const armed = candidates.find(({ state }) => state === IntentState.Armed)
  if (armed !== undefined) {
    throw new Refused(
      `${movement.id} may be the movement of intent ${armed.intentId}, which is not settled: enter it again first`,
    )
  }
  const [unnamed] = candidates.filter(({ intentId }) => !notOf.includes(intentId))
  if (unnamed !== undefined) {
    throw new Refused(
      `${movement.id} may be the movement of intent ${unnamed.intentId}, which waits for a person: settle it first; or, where it is certainly not its movement, say so with --not-of ${unnamed.intentId}`,
    )
  }
  return candidates
}

function mayBe(intent: Intent, { kind, id, row, order }: ShownMovement): boolean {
  if (intent.kind !== kind) return false
  if (intent.state !== IntentState.Armed && intent.state !== IntentState.Escalated) return false
  if (!isOpened(intent)) return mayBeOfLost(intent, row ?? order)
  // The id of an order is known before the order is sent.
  if (isConversion(intent)) return intent.attempt?.orderId === id
  // The figures decide, whatever asset the row names: the service may spell the asset differently.
  if (intent.attempt === undefined || row === undefined) return false
  return rowsLike(intent, [row]).length > 0 || isNamed(id, intent.evidence)
}

/** A field that is missing on either side contradicts nothing. */
function mayBeOfLost({ params, createdAt, frozen }: Exclude<Intent, OpenIntent>, shown: Shown = {}): boolean {
  const atMs = Date.parse(shown.createdAt ?? '')
  if (frozen.isEnteredAgain !== true && atMs < Date.parse(createdAt) - DATING_SLACK_MS) return false
  const { assetSymbol, side }: { readonly assetSymbol?: unknown; readonly side?: unknown } = params
  const { assetSymbol: ofAsset, side: ofSide } = shown
  if (typeof assetSymbol === 'string' && typeof ofAsset === 'string' && !mayNameSame(assetSymbol, ofAsset)) return false
  // A side that is neither BUY nor SELL is unknown.
  return ![side, ofSide].every((each) => each === 'BUY' || each === 'SELL') || side === ofSide
}

/** Whether the evidence shown to a person names the movement. A row in this evidence may differ from the request. */
function isNamed(id: string, evidence: unknown): boolean {
  return candidatesIn(evidence).some((candidate) => candidate.id === id)
}

/**
 * Cannot be undone. The claim comes first, so that no intent can take the movement in between. After a crash between the two
 * writes the audit reports the claim, and the same declaration completes it.
 * @throws Refused where an intent holds the movement.
 * @throws Transient
 */
export async function declareForeign(
  { kind, id }: ShownMovement,
  word: PersonsDecision,
  journal: Pick<Journal, 'claim' | 'keepForeign'>,
): Promise<void> {
  const holder = await journal.claim(kind, id, FOREIGN)
  if (holder !== undefined) throw new Refused(`movement ${id} is claimed by intent ${holder}`)
  await journal.keepForeign(kind, id, word)
}
