// Plans a run of a policy that sweeps, or converts and withdraws, task by task: each task is planned from what earlier
// tasks left. Conversions use the direct market, and convert only what can then be withdrawn. Pure.
import { type ConvertLeg, NonLegCode } from '../../contract/plan.ts'
import type { Policy, WithdrawalTerms } from '../../contract/policies.ts'
import { balanceKey } from '../../contract/records.ts'
import { type SettledAmount, settledUnits } from '../../money/amount.ts'
import { type Decimal, formatDecimal, greatest, least, minus, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { RequiredPrice, Snapshot } from '../market/snapshot.ts'
import { changesOf, reportPlan, unplannedAsset } from '../plan-report.ts'
import type { Planned } from '../planner.ts'
import { findCheapest, fitConversion, type Group } from './conversion-size.ts'
import { createDraft, findPriceObstacle, phasedLegs, reportCut, type StagedLeg, type SweepDraft } from './draft.ts'
import { availableOf, findSurplus, floorOfProceeds, withFloor } from './floors.ts'
import { covers, keyOf, type SweepTask, selectAssets, taskOf } from './task.ts'
import { tradesOfSweep } from './trades.ts'
import { isObstacle, type Obstacle } from './withdrawal-terms.ts'
import { type Destination, destinationOnce, findDestination, legsOf, planWithdrawal, splitSum } from './withdrawals.ts'

/**
 * `name`, `withdrawals`: the policy's. @throws TypeError only for a programming error: a bad figure becomes a non-leg with its
 * reason.
 */
export function planTasks(
  name: string,
  policy: Policy,
  snapshot: Snapshot,
  withdrawals: readonly WithdrawalTerms[],
): Planned {
  const tasks = withdrawals.map(taskOf)
  const draft = createDraft(snapshot, tasks, policy.hubs ?? [], policy.approval !== undefined)
  const touched = new Set<string>()
  if (tasks.some(({ allBut }) => allBut !== undefined))
    for (const [asset, reason] of snapshot.leftOut ?? []) draft.refuse(asset, { code: NonLegCode.NoFacts, reason })
  for (const task of tasks) planTask(draft, task, touched)
  for (const asset of touched) draft.required.push(...draft.valuation.requiredFor(asset))
  const phased = phasedLegs(draft.staged)
  const legs = phased.map((leg) => withFloor(leg, { tasks, legs: phased, codeOf: draft.codeOf }))
  const reported = [...new Set([...touched, ...changesOf(legs).keys()])].sort()
  const positions = reported.map((asset) => unplannedAsset(draft, asset))
  const { nonLegs, guards } = draft
  return {
    plan: reportPlan({
      ...{ name, kind: policy.kind, figures: draft, positions, legs, nonLegs, guards, passing: [] },
      trades: tradesOfSweep(draft, legs),
    }),
    required: distinct(draft.required),
  }
}

function planTask(draft: SweepDraft, task: SweepTask, touched: Set<string>): void {
  const { snapshot, codeOf } = draft
  const { assets, unknown } = selectAssets(task, snapshot, codeOf)
  for (const spelling of unknown) draft.refuse(spelling, unknownAsset(task.allBut !== undefined))
  for (const asset of assets) touched.add(asset)
  if (task.convertInto !== undefined) {
    const into = codeOf(task.convertInto)
    if (into === undefined) {
      draft.refuse(task.convertInto, unknownAsset(false))
      return
    }
    touched.add(into)
    planConversions(draft, task, into, assets)
    return
  }
  for (const asset of assets) {
    const surplus = findSurplus(task, asset, snapshot, draft.takenOf(asset))
    if (isObstacle(surplus)) draft.refuse(asset, surplus)
    else {
      const why = `all above the ${formatDecimal(task.keep.target)} ${asset} that stay`
      planWithdrawal(draft, { task, sum: surplus, why })
    }
  }
}

function unknownAsset(isException: boolean) {
  const reason = 'the service has no such asset: name it by its settled code'
  const consequence = 'an exception that is not known might be held by another name, so nothing is swept'
  return { code: NonLegCode.NothingSpendable, reason: isException ? `${reason}; ${consequence}` : reason }
}

function distinct(prices: readonly RequiredPrice[]): RequiredPrice[] {
  return [...new Map(prices.map((price) => [JSON.stringify(price), price])).values()]
}

/** Legs of one withdrawal: the canary and the rest. */
const LEGS_OF_WITHDRAWAL = 2

/** Adds the conversion of all surplus of `assets` into one asset, and its withdrawal; or records why not. */
export function planConversions(draft: SweepDraft, task: SweepTask, into: string, assets: readonly string[]): void {
  const target = findDestination(draft, task, into)
  const own = findOwn(draft, task, into)
  const refuseAll = (obstacle: Obstacle) => {
    for (const asset of assets) draft.refuse(asset, notInto(into, obstacle))
    if (proceedsOf(draft, task, into) > 0n) draft.refuse(into, notOnward(obstacle))
  }
  if (isObstacle(target)) {
    refuseAll(target)
    return
  }
  if (isObstacle(own)) {
    refuseAll(own)
    return
  }
  const destination = destinationOnce(draft, target)
  const group: Group = { task, into, destination, limits: draft.limits.copy(), legs: [], sum: ZERO }
  const allowance = group.limits.allowanceOf(destination.move)
  const kept = least(own.value, allowance?.most ?? own.value)
  if (allowance && kept < own.value) {
    reportCut(draft, { key: keyOf(task, into, 'withdraw'), planned: own, allowance })
  }
  countIn(group, kept)
  for (const asset of assets) {
    if (asset === into) continue
    const conversion = convertSurplus(draft, group, asset)
    if (isObstacle(conversion)) draft.refuse(asset, conversion)
    else takeIn(group, conversion, draft)
  }
  if (group.sum > 0n) finish(draft, group, target, kept)
}

/**
 * The part of `into` itself that is withdrawn: what earlier runs brought and did not send, or all of it where the task sweeps
 * that asset too. An asset in doubt is an obstacle.
 */
function findOwn(draft: SweepDraft, task: SweepTask, into: string): SettledAmount | Obstacle {
  const surplus = findSurplus(task, into, draft.snapshot, draft.takenOf(into))
  if (isObstacle(surplus) && surplus.code === NonLegCode.InDoubt) return surplus
  const swept = !isObstacle(surplus) && covers(task, into, draft.codeOf) ? surplus.value : ZERO
  return settledUnits(into, greatest(swept, proceedsOf(draft, task, into)))
}

/** The present part of a stranded balance above the floor, unless another task of the plan uses it. */
function proceedsOf(draft: SweepDraft, { contactId }: SweepTask, into: string): Decimal {
  const key = balanceKey({ asset: into, contactId })
  if (draft.carried.has(key)) return ZERO
  const floor = floorOfProceeds(draft.tasks, into, draft.codeOf)
  const available = availableOf(draft.snapshot, into, draft.takenOf(into))
  return least(draft.snapshot.stranded?.get(key) ?? ZERO, greatest(minus(available, floor), ZERO))
}

function notOnward({ code, reason }: Obstacle): Obstacle {
  return { code, reason: `what earlier runs brought of it and did not send stays for now: ${reason}` }
}

function finish(draft: SweepDraft, group: Group, destination: Destination, own: Decimal): void {
  const { task, into, legs } = group
  // Proceeds fill up the asset's own floor first.
  const floor = floorOfProceeds(draft.tasks, into, draft.codeOf)
  const available = plus(availableOf(draft.snapshot, into, draft.takenOf(into)), draft.refilled.get(into) ?? ZERO)
  const missing = least(greatest(minus(floor, available), ZERO), group.sum)
  const split = splitSum(group.destination, minus(group.sum, missing))
  if (isObstacle(split)) {
    for (const { gives } of legs) draft.refuse(gives.asset, notInto(into, split))
    if (own > 0n) draft.refuse(into, proceedsOf(draft, task, into) > 0n ? notOnward(split) : split)
    return
  }
  const ownText =
    proceedsOf(draft, task, into) > 0n ? `what earlier runs brought of ${into}` : `all of ${into} above what stays`
  const why = legs.length === 0 ? ownText : `what the conversions into ${into} bring`
  const conversions = legs.map((leg): StagedLeg => ({ stage: 'convert', leg }))
  const withdrawals = legsOf(destination, split, legs.length > 0 && own > 0n ? `${why}, and ${ownText}` : why)
  if (!draft.add(into, [...conversions, ...withdrawals])) return
  draft.limits = group.limits
  draft.carried.add(balanceKey({ asset: into, contactId: task.contactId }))
  draft.take(into, own)
  draft.refilled.set(into, plus(draft.refilled.get(into) ?? ZERO, missing))
  for (const { gives } of legs) draft.take(gives.asset, parseDecimal(gives.amount, 'gives'))
}

function notInto(into: string, { code, reason }: Obstacle): Obstacle {
  return { code, reason: `not converted into ${into}, as that could not go: ${reason}` }
}

function countIn(group: Group, units: Decimal): void {
  group.sum = plus(group.sum, units)
  group.limits.take(group.destination.move, units)
}

function takeIn(group: Group, leg: ConvertLeg, { valuation }: SweepDraft): void {
  const { asset, amount } = leg.gives
  group.legs.push(leg)
  group.limits.take({ asset, price: valuation.priceOf(asset) }, parseDecimal(amount, 'gives'))
  countIn(group, parseDecimal(leg.brings.amount, 'brings'))
}

function convertSurplus(draft: SweepDraft, group: Group, asset: string): ConvertLeg | Obstacle {
  const { snapshot, valuation } = draft
  const { task, into } = group
  const surplus = findSurplus(task, asset, snapshot, draft.takenOf(asset))
  if (isObstacle(surplus)) return surplus
  const crowding = draft.findCrowding(group.legs.length + 1 + LEGS_OF_WITHDRAWAL)
  if (crowding) return crowding
  const hops = valuation.markets.findHops(asset, into)
  const [first] = hops
  if (!first) return { code: NonLegCode.NoMarket, reason: `there is no market between ${asset} and ${into}` }
  const [allowed, ...others] = hops.filter(({ market }) => snapshot.limits.allowedMarkets?.has(market.id) !== false)
  if (!allowed) return { code: NonLegCode.Guard, reason: `allowedMarkets does not list ${first.market.id}` }
  const unpriced = findPriceObstacle(draft, { asset, price: valuation.priceOf(asset) })
  return (
    unpriced ??
    fitConversion(draft, group, findCheapest(draft, group, [allowed, ...others], surplus.value), surplus.value)
  )
}
