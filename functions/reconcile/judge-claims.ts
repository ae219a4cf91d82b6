// Judges each movement by its claim: whose it is, and whether it is what its intent froze. A movement that nobody has
// claimed is judged last, because its intent may be about to claim it. Reports each movement that a person declared
// foreign once, and a declaration that no signed request proves.
import { heldBy, unclaimedText } from '../../core/audit/held-by.ts'
import { findOrderFault, findWithdrawalFault, orderText, withdrawalText } from '../../core/audit/judge-movement.ts'
import { type Finding, FindingType } from '../../core/contract/reconcile.ts'
import { FOREIGN, findIntentName, IntentKind, IntentState, listing } from '../../core/contract/records.ts'
import { Verb } from '../../core/contract/states.ts'
import { type Intent, isConversion } from '../../core/journal/intent.ts'
import { rowsLike } from '../../core/movements/withdrawal/match.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'
import { iso, isWithin } from './audit-window.ts'
import type { Judging } from './collected.ts'
import type { Fills } from './fills.ts'
import type { AuditedOrder } from './ports.ts'

/** A movement, and its comparison with an intent. */
interface Judged {
  readonly movement: 'order' | 'withdrawal'
  readonly movementId: string
  readonly datedAt: string
  readonly description: string
  readonly differenceFrom: (intent: Intent) => Promise<string | undefined> | string | undefined
  readonly mayBeOf: (intent: Intent) => boolean
}

/** A movement without a claim, which another process may still be about to claim. */
interface Unclaimed {
  readonly finding: Finding
  readonly kind: IntentKind
  readonly movementId: string
  readonly datedAt: string
  readonly mayBeOf: (intent: Intent) => boolean
}

export class Claims {
  readonly #judging: Judging
  readonly #fills: Fills
  readonly #unclaimed: Unclaimed[] = []
  /** Movements that this slice has judged, per kind, because ids are unique only within their kind. */
  readonly shown = { order: new Set<string>(), withdrawal: new Set<string>() }

  constructor(judging: Judging, fills: Fills) {
    this.#judging = judging
    this.#fills = fills
  }

  async judgeOrder(order: AuditedOrder): Promise<void> {
    const { id, createdAt } = order
    if (this.#isCounted(createdAt)) this.#judging.collected.counts.orders += 1
    await this.#judge({
      ...{ movement: 'order', movementId: id, datedAt: createdAt },
      description: orderText(order),
      differenceFrom: (intent) => this.#orderFault(order, intent),
      mayBeOf: (intent) => isConversion(intent) && intent.attempt?.orderId === id,
    })
  }

  async judgeWithdrawal(row: WithdrawalState): Promise<void> {
    const { id, createdAt } = row
    if (this.#isCounted(createdAt)) this.#judging.collected.counts.withdrawals += 1
    await this.#judge({
      ...{ movement: 'withdrawal', movementId: id, datedAt: createdAt },
      description: withdrawalText(row),
      differenceFrom: (intent) => findWithdrawalFault(row, intent),
      mayBeOf: (intent) => rowsLike(intent, [row]).length > 0,
    })
  }

  /** Each movement counts in the slice that it is dated in, even if another slice has to judge it as well. */
  #isCounted(datedAt: string): boolean {
    const { slice, window } = this.#judging
    return isWithin(slice, datedAt) && isWithin(window, datedAt)
  }

  /**
   * An order may fill long after its slice, so all its fills are read before they are said not to add up. An order of
   * another slice has fills there too, and those of this slice alone may add up by chance.
   */
  async #orderFault(order: AuditedOrder, intent: Intent): Promise<string | undefined> {
    const { slice } = this.#judging
    const fault = findOrderFault(order, intent, this.#fills.sumsOf(order.id))
    if (slice.isWhole || (fault === undefined && isWithin(slice, order.createdAt))) return fault
    return findOrderFault(order, intent, await this.#fills.readSumsOf(order.id))
  }

  async #judge({ movement, movementId, datedAt, description, differenceFrom, mayBeOf }: Judged): Promise<void> {
    const { ports, window, slice, ahead, collected } = this.#judging
    this.shown[movement].add(movementId)
    const kind = movement === 'order' ? IntentKind.Convert : IntentKind.Withdraw
    const claim = await collected.readable(() => ahead.findClaim(kind, movementId))
    if (claim === 'unreadable') return
    const intentId = claim.read
    const word = intentId === FOREIGN ? await judgeForeign(this.#judging, kind, movementId) : undefined
    if (word === 'unreadable') return
    const held = heldBy(intentId, word === 'told')
    if (held === 'others' || (held === 'nobody' && ports.isShared)) {
      if (isWithin(window, datedAt) && isWithin(slice, datedAt)) collected.counts.foreign += 1
      return
    }
    if (held === 'others, by no word of a person') {
      // An attacker who takes over a sending step could claim its own sends as foreign.
      const message = unclaimedText(held, description)
      collected.find({ movement, movementId, finding: FindingType.UnprovenClaim, message }, datedAt)
      return
    }
    if (intentId === undefined) {
      const message = unclaimedText('nobody', description)
      const finding = { finding: FindingType.UnclaimedMovement, movement, movementId, message }
      this.#unclaimed.push({ finding, kind, movementId, datedAt, mayBeOf })
      return
    }
    const about = { movement, movementId, intentId }
    const found = await collected.readable(() => ahead.find(intentId, kind))
    if (found === 'unreadable') return
    const intent = found.read
    // Claimed, and stopped before DONE. The intent is open, and is found there once it is overdue.
    if (intent?.state === IntentState.Armed) return
    if (intent?.ref !== movementId) {
      const says = intent === undefined ? 'is not in the journal' : `is ${intent.state} without it`
      const message = `${description} is claimed by intent ${intentId}, which ${says}`
      collected.find({ ...about, finding: FindingType.UnprovenClaim, message }, datedAt)
      return
    }
    const difference = await differenceFrom(intent)
    if (difference !== undefined) {
      const message = `${description} is not what was frozen: ${difference}`
      collected.find({ ...about, finding: FindingType.DifferingTerms, message }, datedAt)
      return
    }
    for (const [finding, why] of [
      [FindingType.ChangedRecord, () => ahead.findUnapproved(intent)],
      [FindingType.PaidTwice, () => ahead.findPaidTwice(intent)],
    ] as const) {
      const read = await collected.readable(why)
      if (read === 'unreadable') return
      const message = `${description} is of intent ${intentId}, and ${read.read}`
      if (read.read !== undefined) collected.find({ ...about, finding, message }, datedAt)
    }
  }

  get hasUnclaimed(): boolean {
    return this.#unclaimed.length > 0
  }

  /**
   * Judges the unclaimed movements last, because a service may date a new movement as an old one. Its intent was ARMED
   * before the movement was listed, so by now it has the claim or is under way.
   */
  async judgeUnclaimed(underWay: readonly Intent[]): Promise<void> {
    const { ports, collected } = this.#judging
    for (const { finding, kind, movementId, datedAt, mayBeOf } of this.#unclaimed) {
      if (underWay.some(mayBeOf)) continue
      const claim = await collected.readable(() => ports.journal.findClaim(kind, movementId))
      if (claim !== 'unreadable' && claim.read === undefined) collected.find(finding, datedAt)
    }
  }
}

/** Maximum number of declarations of one day. */
const MOST_OF_A_DAY = 10_000
const DAY_MS = 86_400_000

export async function judgeForeign(
  { ports, isLookBack, collected }: Judging,
  kind: IntentKind,
  movementId: string,
): Promise<'told' | 'missing' | 'unreadable'> {
  const found = await collected.readable(() => ports.journal.findForeign(kind, movementId))
  if (found === 'unreadable') return found
  if (found.read === undefined) return 'missing'
  const declared = found.read
  const { at, because, by } = declared
  const movement = kind === IntentKind.Convert ? 'order' : 'withdrawal'
  const message = `${movement} ${movementId} was declared to be others' by ${by} at ${at}: ${because}`
  const unheard = await collected.readable(() => ports.findUnheard(Verb.DeclareForeign, declared))
  if (unheard === 'unreadable') return unheard
  if (unheard.read !== undefined) {
    const forged = `${message}; ${unheard.read}`
    collected.find({ movement, movementId, finding: FindingType.UnprovenClaim, message: forged }, at)
    return 'missing'
  }
  // A requested look back has no memory and would report each again.
  if (!isLookBack) collected.find({ movement, movementId, finding: FindingType.ForeignMovement, message }, at)
  return 'told'
}

/** Judges the declarations of the days of the window, also about older movements. */
export async function judgeForeignWords(judging: Judging): Promise<void> {
  const { ports, window } = judging
  for (let day = dayOf(window.againFromMs); day <= dayOf(window.throughMs); day += 1) {
    const list = listing.foreignOn(iso(day * DAY_MS).slice(0, 'YYYY-MM-DD'.length))
    for (const name of await ports.index.list(list, MOST_OF_A_DAY)) {
      const named = findIntentName(name)
      if (named !== undefined) await judgeForeign(judging, named.kind, named.intentId)
    }
  }
}

function dayOf(atMs: number): number {
  return Math.floor(atMs / DAY_MS)
}
