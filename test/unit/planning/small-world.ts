// Accounts small enough for calculation by hand: a few assets, prices of one size, no guards by default.
import { type Policy, policy } from '../../../core/contract/policies.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'
import type {
  AssetFacts,
  MarketFacts,
  Position,
  PriceObservation,
  Snapshot,
} from '../../../core/planning/market/snapshot.ts'

export const d = (text: string) => parseDecimal(text, 'test')

export function assetOf(assetSymbol: string, increment = '0.01', maxIndicativeAmount = '0'): AssetFacts {
  return {
    assetSymbol,
    assetClass: 'CRYPTO',
    increment: d(increment),
    maxIndicativeAmount: d(maxIndicativeAmount),
    minimumWithdrawal: d('0'),
    minimumInternalWithdrawal: d('0'),
    networks: [],
  }
}

export function marketOf(id: string, minBase = '0.01', minQuote = '1'): MarketFacts {
  const [baseAsset, quoteAsset] = id.split('-') as [string, string]
  return { id, baseAsset, quoteAsset, minBaseAmount: d(minBase), minQuoteAmount: d(minQuote) }
}

/** SELL at the first, BUY at the second rate. */
export function pricesOf(marketId: string, sell: string, buy: string, baseAmount = '0.01'): PriceObservation[] {
  return [
    { marketId, side: 'SELL', baseAmount: d(baseAmount), rate: d(sell) },
    { marketId, side: 'BUY', baseAmount: d(baseAmount), rate: d(buy) },
  ]
}

export interface SmallWorld {
  /** Held and spendable, or `[spendable, holding]`. */
  readonly held: Readonly<Record<string, string | readonly [string, string]>>
  /** By market: SELL and BUY rate. */
  readonly rates: Readonly<Record<string, readonly [string, string] | undefined>>
  readonly assets?: readonly AssetFacts[]
  readonly markets?: readonly MarketFacts[]
  readonly inDoubt?: Readonly<Record<string, string>>
  readonly changed?: Partial<Snapshot>
}

export function snapshotOf({
  held,
  rates,
  assets = [],
  markets = [],
  inDoubt = {},
  changed = {},
}: SmallWorld): Snapshot {
  const known = new Map<string, AssetFacts>()
  const codes = [...Object.keys(held), ...Object.keys(rates).flatMap((id) => id.split('-'))]
  for (const code of codes) known.set(code, assetOf(code))
  for (const asset of assets) known.set(asset.assetSymbol, asset)
  const positions = Object.entries(held).map(([code, figures]): [string, Position] => {
    const [spendable, holding] = typeof figures === 'string' ? [figures, figures] : figures
    const doubt = inDoubt[code]
    return [
      code,
      {
        asset: known.get(code) as AssetFacts,
        spendable: d(spendable),
        holding: d(holding),
        ...(doubt === undefined ? {} : { inDoubt: doubt }),
      },
    ]
  })
  return {
    takenAtMs: Date.UTC(2026, 0, 5, 9),
    valuationAsset: 'USD',
    positions: new Map(positions),
    assets: known,
    markets: Object.keys(rates).map((id) => markets.find((market) => market.id === id) ?? marketOf(id)),
    prices: Object.entries(rates).flatMap(([id, pair]) => (pair === undefined ? [] : pricesOf(id, ...pair))),
    contacts: new Map(),
    limits: { assets: new Map(), contacts: new Map(), outflow: new Map() },
    turnoverToday: d('0'),
    ...changed,
  }
}

export function policyOf<Kind extends Policy>(text: Readonly<Record<string, unknown>>): Kind {
  return policy.parse(text) as Kind
}
