// Computes the service's own prices at any moment of the days: its seeded process, and each fixed middle price from its
// moment on. The prices come from the sandbox's witness, and from no report of the product.

import { type Amount, loadParts, type Market, type Side } from '@sluice/service-sandbox'
import type { Span } from '../evidence.ts'
import type { Deed } from '../hands.ts'

const { formatAmount, amount: units, findMarketOf, marketOf, Prices } = await loadParts()

export interface Mids {
  /** A customer's rates at that size, quote units for each base unit: the lowest and the highest of a span. */
  rates(market: string, side: Side, baseAmount: string, span: Span): Range
  /**
   * Lowest value of one unit during a span, by the middle price, direct or through one hub. Undefined without a price.
   */
  worth(asset: string, inAsset: string, span: Span): number | undefined
}

export interface Range {
  readonly lowest: number
  readonly highest: number
}

/** The seeded process moves by less than a basis point in this time. */
const SAMPLE_MS = 1_000
const MOST_SAMPLES = 300
const HUBS = ['USD', 'USDC', 'EUR']

export function createMids(seed: string, openedAtMs: number, deeds: readonly Deed[]): Mids {
  const prices = new Prices(seed, openedAtMs)
  const fixes = new Map<string, { readonly atMs: number; readonly mid: string | null }[]>()
  for (const { atMs, path, body } of deeds) {
    if (path !== '/price') continue
    const market = String(body.market)
    fixes.set(market, [...(fixes.get(market) ?? []), { atMs, mid: body.mid === null ? null : String(body.mid) }])
  }

  /** Every moment of a span at which the price may differ. */
  function momentsOf(market: string, { fromMs, toMs }: Span): number[] {
    const stepMs = Math.max(SAMPLE_MS, (toMs - fromMs) / MOST_SAMPLES)
    const sampled = Array.from({ length: Math.floor((toMs - fromMs) / stepMs) + 1 }, (_, n) => fromMs + n * stepMs)
    const changed = (fixes.get(market) ?? []).flatMap(({ atMs }) =>
      atMs >= fromMs && atMs <= toMs ? [atMs, atMs - 1] : [],
    )
    return [...sampled, ...changed, toMs]
  }

  function set(market: Market, atMs: number): void {
    const fixed = fixes.get(market.id)?.findLast((fix) => fix.atMs <= atMs)?.mid
    prices.fix(market.id, fixed === undefined || fixed === null ? null : units(fixed))
  }

  function range(market: Market, span: Span, priceOf: (atMs: number) => Amount): Range {
    const rates = momentsOf(market.id, span).map((atMs) => {
      set(market, atMs)
      return Number(formatAmount(priceOf(atMs)))
    })
    return { lowest: Math.min(...rates), highest: Math.max(...rates) }
  }

  function crossing(asset: string, inAsset: string, span: Span): number | undefined {
    if (asset === inAsset) return 1
    const sold = findMarketOf(asset, inAsset)
    if (sold) return range(sold, span, (atMs) => prices.mid(sold, atMs)).lowest
    const bought = findMarketOf(inAsset, asset)
    return bought && 1 / range(bought, span, (atMs) => prices.mid(bought, atMs)).highest
  }

  return {
    rates(marketId, side, baseAmount, span) {
      const market = marketOf(marketId)
      const size = { leg: 'base', amount: units(baseAmount) } as const
      return range(market, span, (atMs) => prices.rate(market, side, size, atMs))
    },
    worth(asset, inAsset, span) {
      const direct = crossing(asset, inAsset, span)
      if (direct !== undefined) return direct
      for (const hub of HUBS) {
        const [first, second] = [crossing(asset, hub, span), crossing(hub, inAsset, span)]
        if (first !== undefined && second !== undefined) return first * second
      }
      return undefined
    },
  }
}
