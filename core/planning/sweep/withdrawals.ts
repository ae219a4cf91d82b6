// Withdrawals of a sweep: to where, how much of a sum, and whether a canary goes ahead of the rest. The same
// for a plan and for what is planned again later in its run.
import type { PayeeFacts } from '../../contract/payee.ts'
import { NonLegCode, type WithdrawLeg } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import { type Decimal, formatDecimal, minus, multiply, ZERO } from '../../money/decimal.ts'
import { findPriceObstacle, guardObstacle, type StagedLeg, type SweepDraft, tellCut } from './draft.ts'
import type { Move } from './limits.ts'
import type { SweepTask } from './task.ts'
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
  readonly route: Route
  readonly payee: PayeeFacts | undefined
  readonly move: Move & { readonly contactId: string }
  readonly isCanaryDue: boolean
}

/** Where the task sends an asset, or what stands against it whatever the amount. `price`: instead of the market's. */
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
  return { route, payee: contact?.payee, move, isCanaryDue }
}

/** What goes: the canary, if one is due, and the rest of `sum`. None of it, where the rest alone would not go. */
export function splitSum({ route, isCanaryDue }: Destination, task: SweepTask, sum: Decimal): Split | Obstacle {
  if (!isCanaryDue) {
    const whole = fitWithdrawal(route, task, sum)
    return isObstacle(whole) ? whole : { rest: whole }
  }
  const canary = smallestWithdrawal(route, task.feeMode)
  const left = minus(sum, canary.total)
  const rest = fitWithdrawal(route, task, left > 0n ? left : ZERO)
  if (!isObstacle(rest)) return { canary, rest }
  return { ...rest, reason: `after a canary of ${formatDecimal(canary.amount)}, ${rest.reason}` }
}

export interface Split {
  readonly canary?: Withdrawal
  readonly rest: Withdrawal
}

export function totalOf({ canary, rest }: Split): Decimal {
  return (rest.total + (canary?.total ?? 0n)) as Decimal
}

/** Of a sum that is there already. Adds its legs, or says why not. */
export function planWithdrawal(draft: SweepDraft, task: SweepTask, asset: string, sum: Decimal, why: string): void {
  const destination = draft.findCrowding(1) ?? findDestination(draft, task, asset)
  if (isObstacle(destination)) {
    draft.refuse(asset, destination)
    return
  }
  const planned = planSplit(draft, task, destinationOnce(draft, destination), sum)
  if (isObstacle(planned)) {
    draft.refuse(asset, planned)
    return
  }
  const { split, cut } = planned
  if (!draft.add(asset, legsOf(task, destination, split, why))) return
  if (cut) tellCut(draft, keyOf(task, asset, 'withdraw'), asset, sum, cut)
  draft.take(asset, totalOf(split))
  draft.limits.take(destination.move, totalOf(split))
}

/** One canary proves the contact for all that goes to it. */
export function destinationOnce(draft: SweepDraft, destination: Destination): Destination {
  return draft.canaries.has(destination.move.contactId) ? { ...destination, isCanaryDue: false } : destination
}

/** What guards leave of a sum, split. */
export function planSplit(draft: SweepDraft, task: SweepTask, destination: Destination, sum: Decimal) {
  const allowance = draft.limits.allowanceOf(destination.move)
  const cut = allowance !== undefined && allowance.most < sum ? allowance : undefined
  const split = splitSum(destination, task, cut?.most ?? sum)
  if (!isObstacle(split)) return { split, cut }
  return cut === undefined || isObstacle(splitSum(destination, task, sum)) ? split : guardObstacle(cut, split)
}

/** To an unproven contact all but the canary wait for it. */
export function legsOf(task: SweepTask, destination: Destination, { canary, rest }: Split, why: string): StagedLeg[] {
  const waits = destination.isCanaryDue
  const first = 'the smallest amount goes ahead, as nothing has reached this contact since it was last changed'
  return [
    ...(canary === undefined
      ? []
      : [{ stage: 'withdraw' as const, leg: makeLeg(task, destination, canary, first, true) }]),
    {
      stage: waits ? 'rest' : 'withdraw',
      leg: makeLeg(task, destination, rest, waits ? `${why}; once the canary has COMPLETED` : why, false),
    },
  ]
}

export function makeLeg(
  task: SweepTask,
  { route, payee, move }: Destination,
  { amount, total }: Withdrawal,
  reason: string,
  isCanary: boolean,
): WithdrawLeg {
  const { asset, contactId, price } = move
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

export function keyOf(task: SweepTask, asset: string, does: 'convert' | 'canary' | 'withdraw'): string {
  return `${task.key}${does}-${asset}`
}
