// Judges whether a rebalance reaches its target within a few runs, by the service's ledger, its own prices and
// treasury.json. An asset beyond its band is a finding while a trade with another one that is off would be large
// enough, cheap and allowed.

import { loadParts, type Market, type Side } from '@sluice/service-sandbox'
import type { RebalancePolicy } from '../../../../core/contract/policies.ts'
import { keepBooks } from '../books.ts'
import type { Evidence } from '../evidence.ts'
import type { Mids } from './mids.ts'
import { fileAt, readAccount } from './sends.ts'

const { amount, findMarketOf } = await loadParts()

/** Effect of spreads, and of prices since the last run; a share of the total. */
const SLACK = 0.003
/** Factors by which a trade is clearly large enough, and clearly cheap. */
const LARGE = 2
const CHEAP = 4

interface Standing {
  readonly asset: string
  /** USD. */
  readonly drift: number
  readonly target: number
  readonly isFar: boolean
}

/** Judges `policy` at these moments, each after a few runs under the file in force. */
export function judgeTargets(policy: string, moments: readonly number[], evidence: Evidence): string[] {
  const { mids } = readAccount(evidence)
  const books = keepBooks(evidence.oracle.ledger, [])
  return moments.flatMap((atMs) => {
    const own = fileAt(evidence.files, atMs).treasury.policies[policy]
    if (own?.kind !== 'rebalance') return []
    const standings = standingsOf(own, (asset) => books.heldAt(asset, atMs) * worthOf(asset, atMs, mids))
    const trade = findTrade(standings, own, atMs, mids)
    return trade === undefined ? [] : [`target: ${new Date(atMs).toISOString()} ${policy}: ${trade}`]
  })
}

function worthOf(asset: string, atMs: number, mids: Mids): number {
  return mids.worth(asset, 'USD', { fromMs: atMs, toMs: atMs }) ?? 0
}

function standingsOf({ weights = {}, band }: RebalancePolicy, worthOfHeld: (asset: string) => number): Standing[] {
  const values = Object.entries(weights).map(([asset, weight]) => ({
    asset,
    value: worthOfHeld(asset),
    weight: Number(weight),
  }))
  const total = values.reduce((sum, { value }) => sum + value, 0)
  return values.map(({ asset, value, weight }) => {
    const target = total * weight
    const allowed = ((band.of === 'absolute' ? total : target) * band.bps) / 10_000
    return { asset, target, drift: value - target, isFar: Math.abs(value - target) > allowed + total * SLACK }
  })
}

function findTrade(
  standings: readonly Standing[],
  policy: RebalancePolicy,
  atMs: number,
  mids: Mids,
): string | undefined {
  for (const over of standings.filter(({ drift }) => drift > 0)) {
    for (const under of standings.filter(({ drift }) => drift < 0)) {
      if (!over.isFar && !under.isFar) continue
      const value = Math.min(over.drift, -under.drift)
      if (value < LARGE * Number(policy.smallestTrade)) continue
      const way = waysOf(over.asset, under.asset, policy).find((hops) =>
        isCheap(hops, value, [over, under], atMs, mids),
      )
      if (way === undefined) continue
      const by = way.map(({ market }) => market.id).join(', ')
      return `${over.asset} is ${over.drift.toFixed(0)} USD above and ${under.asset} ${(-under.drift).toFixed(0)} below, though ${by} would trade them`
    }
  }
  return undefined
}

interface Hop {
  readonly market: Market
  readonly side: Side
}

function waysOf(from: string, to: string, { hubs = ['USD'], guards: { allowedMarkets } }: RebalancePolicy): Hop[][] {
  const hopsOf = (gives: string, brings: string): Hop[] => {
    const [sold, bought] = [findMarketOf(gives, brings), findMarketOf(brings, gives)]
    const hops = [
      ...(sold ? [{ market: sold, side: 'SELL' as const }] : []),
      ...(bought ? [{ market: bought, side: 'BUY' as const }] : []),
    ]
    return hops.filter(({ market }) => allowedMarkets === undefined || allowedMarkets.includes(market.id))
  }
  const through = hubs.filter((hub) => hub !== from && hub !== to)
  return [
    ...hopsOf(from, to).map((hop) => [hop]),
    ...through.flatMap((hub) => hopsOf(from, hub).flatMap((first) => hopsOf(hub, to).map((second) => [first, second]))),
  ]
}

/** Whether half of the trade is above each minimum, and its cost is a small part of how far both assets are off. */
function isCheap(hops: readonly Hop[], value: number, ends: readonly Standing[], atMs: number, mids: Mids): boolean {
  const span = { fromMs: atMs, toMs: atMs }
  let left = value
  for (const { market, side } of hops) {
    const [base, quote] = [worthOf(market.base.symbol, atMs, mids), worthOf(market.quote.symbol, atMs, mids)]
    const units = left / base
    if (amount((units / 2).toFixed(8)).lt(market.minBaseAmount)) return false
    if (amount((left / quote / 2).toFixed(8)).lt(market.minQuoteAmount)) return false
    const { lowest, highest } = mids.rates(market.id, side, units.toFixed(8), span)
    left = side === 'SELL' ? units * lowest * quote : (left / quote / highest) * base
  }
  const cost = Math.max(0, value - left) / value
  return ends.every(({ drift, target }) => cost * target * CHEAP < Math.abs(drift))
}
