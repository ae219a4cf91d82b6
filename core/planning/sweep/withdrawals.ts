// Plans the withdrawals of a sweep: the destination, how much of a sum goes, and whether a canary goes first. Plans and
// replanned phases use the same rules. Pure.
import type { PayeeFacts } from '../../contract/payee.ts'
import { NonLegCode, type WithdrawLeg } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import type { SettledAmount } from '../../money/amount.ts'
import {
  type Decimal,
  divide,
  formatDecimal,
  greatest,
  minus,
  multiply,
  parseDecimal,
  plus,
  ZERO,
} from '../../money/decimal.ts'
import { findPriceObstacle, guardObstacle, reportCut, type StagedLeg, type SweepDraft } from './draft.ts'
import type { Allowance, Move } from './limits.ts'
import { keyOf, type SweepTask } from './task.ts'
import {
  findRoute,
  fitWithdrawal,
  isObstacle,
  type Obstacle,
  type Route,
  smallestWithdrawal,
  type Withdrawal,
} from './withdrawal-terms.ts'

export interface Destination {
  readonly task: SweepTask
  readonly route: Route
  readonly payee: PayeeFacts | undefined
  readonly move: Move & { readonly contactId: string }
  readonly isCanaryDue: boolean
}

/** The destination, or an obstacle that holds for any amount. `price`: replaces the market's price. */
export function findDestination(
  draft: SweepDraft,
  task: SweepTask,
  asset: string,
  price: Decimal | null = draft.valuation.priceOf(asset),
): Destination | Obstacle {
  const { snapshot } = draft
  const { contactId } = task
  const facts = snapshot.assets.get(asset)
  if (facts === undefined) return { code: NonLegCode.NothingSpendable, reason: `the service has no asset ${asset}` }
  const contact = snapshot.contacts.get(contactId)
  const route = findRoute(facts, contact?.payee)
  if (isObstacle(route)) return route
  if (snapshot.limits.allowedContacts?.has(contactId) === false) {
    return { code: NonLegCode.Guard, reason: 'allowedContacts does not list the contact' }
  }
  const move = { asset, contactId, price }
  const unpriced = findPriceObstacle(draft, move)
  if (unpriced) return unpriced
  const isCanaryDue = task.canary && contact?.isProven === false
  if (isCanaryDue && contact.onItsWay !== undefined) {
    const reason = `the contact is not proven, and ${contact.onItsWay} has not reached its end: no further canary goes`
    return { code: NonLegCode.AwaitsCanary, reason }
  }
  return { task, route, payee: contact?.payee, move, isCanaryDue }
}

/** The parts of a sum: the canary, if one is due, and the rest. */
export interface Split {
  readonly canary?: Withdrawal
  readonly rest: Withdrawal
}

/** An obstacle where the rest alone could not go: then the canary does not go either. */
export function splitSum({ task, route, isCanaryDue }: Destination, sum: Decimal): Split | Obstacle {
  if (!isCanaryDue) {
    const withdrawal = fitWithdrawal(route, task, sum)
    return isObstacle(withdrawal) ? withdrawal : { rest: withdrawal }
  }
  const canary = smallestWithdrawal(route, task.feeMode)
  const rest = fitWithdrawal(route, task, greatest(minus(sum, canary.total), ZERO))
  if (!isObstacle(rest)) return { canary, rest }
  return { ...rest, reason: `after a canary of ${formatDecimal(canary.amount)}, ${rest.reason}` }
}

export interface Payment {
  readonly task: SweepTask
  readonly sum: SettledAmount
  readonly why: string
}

/** Adds the legs that withdraw the sum, or the reason why nothing is withdrawn. */
export function planWithdrawal(draft: SweepDraft, { task, sum, why }: Payment): void {
  const { asset } = sum
  const destination = draft.findCrowding(1) ?? findDestination(draft, task, asset)
  if (isObstacle(destination)) {
    draft.refuse(asset, destination)
    return
  }
  const planned = planSplit(draft, destinationOnce(draft, destination), sum.value)
  if (isObstacle(planned)) {
    draft.refuse(asset, planned)
    return
  }
  const { split, cut } = planned
  if (!draft.add(asset, legsOf(destination, split, why))) return
  if (cut) reportCut(draft, { key: keyOf(task, asset, 'withdraw'), planned: sum, allowance: cut })
  draft.take(asset, totalOf(split))
  draft.limits.take(destination.move, totalOf(split))
}

function totalOf({ canary, rest }: Split): Decimal {
  return plus(rest.total, canary?.total ?? ZERO)
}

/** A planned canary proves the contact for all withdrawals to it. */
export function destinationOnce(draft: SweepDraft, destination: Destination): Destination {
  return draft.canaries.has(destination.move.contactId) ? { ...destination, isCanaryDue: false } : destination
}

/** The part of a sum that guards allow, as a split. `cut`: the guard that made it smaller. */
export function planSplit(
  draft: SweepDraft,
  destination: Destination,
  sum: Decimal,
): { readonly split: Split; readonly cut: Allowance | undefined } | Obstacle {
  const allowance = draft.limits.allowanceOf(destination.move)
  const cut = allowance !== undefined && allowance.most < sum ? allowance : undefined
  const split = splitSum(destination, cut?.most ?? sum)
  if (!isObstacle(split)) return { split, cut }
  return cut === undefined || isObstacle(splitSum(destination, sum)) ? split : guardObstacle(cut, split)
}

/** For an unproven contact, all legs but the canary wait for the canary. */
export function legsOf(destination: Destination, { canary, rest }: Split, why: string): StagedLeg[] {
  const waits = destination.isCanaryDue
  const reason = waits ? `${why}; once the canary has COMPLETED` : why
  const legs: StagedLeg[] = []
  if (canary !== undefined) {
    const first = 'the smallest amount goes ahead, as nothing has reached this contact since it was last changed'
    const leg = makeLeg(destination, { withdrawal: canary, reason: first, isCanary: true })
    legs.push({ stage: 'withdraw', leg })
  }
  const leg = makeLeg(destination, { withdrawal: rest, reason, isCanary: false })
  legs.push({ stage: waits ? 'rest' : 'withdraw', leg })
  return legs
}

export function makeLeg(
  { task, route, payee, move }: Destination,
  { withdrawal, reason, isCanary }: { withdrawal: Withdrawal; reason: string; isCanary: boolean },
): WithdrawLeg {
  const { asset, contactId, price } = move
  const { amount, total } = withdrawal
  return {
    kind: IntentKind.Withdraw,
    key: keyOf(task, asset, isCanary ? 'canary' : 'withdraw'),
    phase: 1,
    value: price === null ? '0' : formatDecimal(multiply(total, price, 'up')),
    reason: price === null ? `${reason}; no market tells its value` : reason,
    request: { assetSymbol: asset, amount: formatDecimal(amount), feeMode: task.feeMode, contactId },
    assetSymbol: asset,
    contactId,
    ...(payee !== undefined && { payee }),
    fee: formatDecimal(route.fee),
    total: formatDecimal(total),
    isCanary,
  }
}

/** The plan's price, for an asset without a present price; null where the plan had no price either. */
export function plannedPrice({ value, total }: WithdrawLeg): Decimal | null {
  const worth = parseDecimal(value, 'value')
  return worth === 0n ? null : divide(worth, parseDecimal(total, 'total'), 'up')
}
