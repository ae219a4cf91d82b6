// Computes how much of a surplus one conversion of a sweep takes. The bounds are what the service quotes, and what the guards
// allow for the conversion and for the withdrawal of its proceeds. Pure.
import { type ConvertLeg, NonLegCode } from '../../contract/plan.ts'
import {
  type Decimal,
  formatDecimal,
  least,
  minus,
  parseDecimal,
  partOf,
  plus,
  quantiseDown,
  WHOLE_BPS,
  ZERO,
} from '../../money/decimal.ts'
import { makeConversion } from '../conversions/conversion.ts'
import type { Hop } from '../market/market-index.ts'
import type { AssetFacts } from '../market/snapshot.ts'
import { guardObstacle, type SweepDraft } from './draft.ts'
import { findSurplus } from './floors.ts'
import type { Allowance, SweepLimits } from './limits.ts'
import { keyOf, type SweepTask } from './task.ts'
import { isObstacle, type Obstacle } from './withdrawal-terms.ts'
import type { Destination } from './withdrawals.ts'

/** Conversions into one asset that is then withdrawn. */
export interface Group {
  readonly task: SweepTask
  readonly into: string
  readonly destination: Destination
  /** A copy on trial: it counts only if the group is made. */
  readonly limits: SweepLimits
  readonly legs: ConvertLeg[]
  /** Units of `into` that could be withdrawn. */
  sum: Decimal
}

/**
 * Converts as much of the surplus as the service quotes and the guards allow. The guards of the withdrawal after it count too.
 */
export function fitConversion(draft: SweepDraft, group: Group, hop: Hop, surplus: Decimal): ConvertLeg | Obstacle {
  const { snapshot, valuation } = draft
  const { gives: asset } = hop
  const facts = snapshot.assets.get(asset)
  if (facts === undefined) return { code: NonLegCode.NothingSpendable, reason: `the service has no asset ${asset}` }
  const { increment, maxIndicativeAmount: quotable } = facts
  const whole = quantiseDown(surplus, increment)
  let gives = quotable === 0n ? whole : least(whole, quantiseDown(quotable, increment))
  const isCapped = gives < whole
  // Prices are required for the size before guards cut it and before other rules take from it, so that one read serves all.
  const priceless = requireRates(draft, hop, sizeToPrice(draft, group.task, facts, gives))
  if (priceless) return priceless
  const own = group.limits.allowanceOf({ asset, price: valuation.priceOf(asset) })
  let cut = own !== undefined && own.most < gives ? own : undefined
  if (cut) gives = quantiseDown(cut.most, increment)

  // The floor is added once all legs are known: see floors.ts.
  const terms = { snapshot, valuation, smallestTrade: ZERO, staysOf: () => ZERO }
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const conversion = makeConversion({ hop, phase: 1, gives }, terms)
    if ('code' in conversion) {
      const obstacle = { code: conversion.code, reason: conversion.message }
      return cut === undefined ? obstacle : guardObstacle(cut, obstacle)
    }
    const excess = findExcess(draft, group, conversion)
    if (excess === undefined) return finished(draft, group, conversion, { whole, gives, cut, isCapped })
    cut = excess.allowance
    gives = quantiseDown(shrink(gives, excess, round), increment)
  }
  const tooLittle = { code: NonLegCode.Guard, reason: 'less of it does not fit either' }
  return cut === undefined ? tooLittle : guardObstacle(cut, tooLittle)
}

/** The market, of two between the same assets, that brings more for the surplus. Requires prices of both. */
export function findCheapest(
  draft: SweepDraft,
  { task }: Group,
  hops: readonly [Hop, ...Hop[]],
  surplus: Decimal,
): Hop {
  const [first, ...others] = hops
  const facts = draft.snapshot.assets.get(first.gives)
  if (others.length === 0 || facts === undefined) return first
  const size = sizeToPrice(draft, task, facts, surplus)
  for (const hop of hops) requireRates(draft, hop, size)
  const bringsOf = (hop: Hop) => draft.valuation.rates.bringsFor(hop, size) ?? ZERO
  return others.reduce((best, other) => (bringsOf(other) > bringsOf(best) ? other : best), first)
}

/** Each round cuts a margin that doubles: 2^11 bps, a fifth, in the last round, which fits even the coarsest increments. */
const MOST_ROUNDS = 12

/**
 * Shrinks in proportion. A smaller size has a better rate, and increments are coarse: what still does not fit is cut further.
 */
function shrink(gives: Decimal, { have, need }: Excess, round: number): Decimal {
  const kept = round === 0 ? WHOLE_BPS : WHOLE_BPS - 2n ** BigInt(round)
  return partOf(gives, have * kept, need * WHOLE_BPS, 'down')
}

interface Excess {
  readonly have: Decimal
  readonly need: Decimal
  readonly allowance: Allowance
}

/** Whether the proceeds exceed what may be withdrawn, or both movements together exceed the day's value. */
function findExcess({ valuation }: SweepDraft, group: Group, { gives, brings }: ConvertLeg): Excess | undefined {
  const { limits, destination, sum } = group
  const brought = parseDecimal(brings.amount, 'brings')
  const onward = limits.allowanceOf(destination.move, sum)
  if (onward !== undefined && onward.most < brought) return { have: onward.most, need: brought, allowance: onward }
  const left = limits.leftValue()
  if (left === undefined) return undefined
  const need = plus(
    limits.valueOf({ asset: gives.asset, price: valuation.priceOf(gives.asset) }, parseDecimal(gives.amount, 'gives')),
    limits.valueOf(destination.move, brought),
  )
  if (need <= left) return undefined
  const message = `leaves a value of ${formatDecimal(left)}, which conversion and withdrawal share`
  return { have: left, need, allowance: { most: left, guard: 'total.daily', message } }
}

/** Requires rates of both sides: at the minimum first, then at the size. Returns an obstacle where this side has no rate. */
export function requireRates({ valuation, required }: SweepDraft, { market, side, gives: asset }: Hop, gives: Decimal) {
  const { rates } = valuation
  const sides = ['BUY', 'SELL'] as const
  if (rates.rateFor({ market, side, gives: asset, brings: '' }, gives) === undefined) {
    required.push(...sides.map((each) => ({ marketId: market.id, side: each })))
    return { code: NonLegCode.NoPrice, reason: `${market.id} has no price for this side` }
  }
  const amount = formatDecimal(gives)
  for (const each of gives === 0n ? [] : sides) {
    if (rates.isCovered(market, each, asset, gives)) continue
    required.push({ marketId: market.id, side: each, amount, amountAsset: asset })
  }
  return undefined
}

function sizeToPrice({ snapshot }: SweepDraft, task: SweepTask, asset: AssetFacts, gives: Decimal): Decimal {
  const { increment, maxIndicativeAmount: quotable } = asset
  const surplus = findSurplus(task, asset.assetSymbol, snapshot)
  const size = quantiseDown(isObstacle(surplus) ? gives : surplus.value, increment)
  return quotable === 0n ? size : least(size, quantiseDown(quotable, increment))
}

interface Cutting {
  readonly whole: Decimal
  readonly gives: Decimal
  readonly cut: Allowance | undefined
  readonly isCapped: boolean
}

/** The leg with its own key and reason. Reports the part of the surplus that stays. */
function finished(draft: SweepDraft, { task, into }: Group, leg: ConvertLeg, cutting: Cutting): ConvertLeg | Obstacle {
  const { whole, gives, cut, isCapped } = cutting
  const { asset } = leg.gives
  const key = keyOf(task, asset, 'convert')
  const reason = `${leg.gives.amount} ${asset} above what stays, to go as ${into}`
  if (gives === whole) return { ...leg, key, reason }
  const rest = `${formatDecimal(minus(whole, gives))} ${asset}`
  const bound = cut && `${cut.guard} ${cut.message}`
  const why = bound ?? (isCapped ? 'the service quotes no more at once' : 'no more fits')
  const code = cut ? NonLegCode.Guard : NonLegCode.CutShort
  if (task.exactly !== undefined) {
    return { code, reason: `${why}, and ${formatDecimal(whole)} ${asset} goes as a whole or not at all` }
  }
  draft.refuse(asset, { code, reason: `${why}: ${rest} stays for now` })
  if (cut) draft.guards.push({ guard: cut.guard, leg: key, says: `${cut.message}: ${rest} stays for now` })
  return { ...leg, key, reason: `${reason}; ${why}` }
}
