// Draws a random portfolio over markets of every shape. Coins have their own markets in either direction or in both,
// with several hubs, one or none. It has equities in settled tokens, coarse increments, large minimums, and markets
// without prices or with none beyond a size. Each market has its own spread that grows with the size. Shares no
// arithmetic with the planners.
import { policy, type RebalancePolicy } from '../../../core/contract/policies.ts'
import type { Decimal } from '../../../core/money/decimal.ts'
import type {
  AssetFacts,
  MarketFacts,
  Position,
  PriceObservation,
  RequiredPrice,
  Snapshot,
} from '../../../core/planning/market/snapshot.ts'
import { type Chance, chanceOf, dec, parse, textOf, UNIT } from './random-world.ts'

type Side = 'BUY' | 'SELL'

export interface Portfolio {
  readonly policy: RebalancePolicy
  readonly snapshot: Snapshot
  /** US dollars of a settled unit, in the middle of every market. */
  readonly usd: ReadonlyMap<string, bigint>
  /** A market's rate for an amount of one of its legs. Undefined: the service gives no rate. */
  rate(market: MarketFacts, side: Side, asset: string, amount: bigint): bigint | undefined
  /** True if a market of the asset gives prices up to some size only. */
  isShallow(asset: string): boolean
  /** The service's answer to a planner's request. */
  observe(required: RequiredPrice): PriceObservation | undefined
}

interface Terms {
  readonly narrowPpm: bigint
  /** More for each 10,000 US dollars. */
  readonly slopePpm: bigint
  /** US dollars beyond which the market gives no price. Undefined: no limit. */
  readonly deepest: bigint | undefined
}

const MONEY = ['USD', 'USDC', 'EURC']
const COINS = ['BTC', 'ETH', 'SOL', 'LINK']
const EQUITIES = ['AAPLSPV', 'TSLASPV']
const MOST_PPM = 60_000n

export function randomPortfolio(seed: number): Portfolio {
  const chance = chanceOf(seed)
  const coins = COINS.slice(0, 1 + Math.floor(chance() * COINS.length))
  const equities = EQUITIES.filter(() => chance() < 0.3)
  const others = [...coins, ...equities]
  const usd = new Map<string, bigint>([
    ['USD', UNIT],
    ['USDC', UNIT],
    ['EURC', dec(1.08)],
    ...others.map((code) => [code, dec(10 ** (chance() * 5 - 1))] as const),
  ])
  const isOdd = chance() < 0.3
  const assets = new Map(
    [...MONEY, ...others].map((code) => [code, assetOf(code, usd.get(code) as bigint, isOdd, chance)]),
  )
  const terms = new Map<string, Terms>()
  const markets: MarketFacts[] = []
  const list = (base: string, quote: string, likelihood: number) => {
    if (chance() >= likelihood) return
    const [baseAsset, quoteAsset] = chance() < 0.25 ? [quote, base] : [base, quote]
    for (const market of [
      marketOf(baseAsset, quoteAsset),
      ...(chance() < 0.1 ? [marketOf(quoteAsset, baseAsset)] : []),
    ]) {
      markets.push(market)
      terms.set(market.id, termsOf(isOdd, chance))
    }
  }
  const marketOf = (baseAsset: string, quoteAsset: string): MarketFacts => {
    const worth = isOdd && chance() < 0.1 ? dec(3_000) : dec(5)
    const atLeast = (code: string) => {
      const { increment } = assets.get(code) as AssetFacts
      return (((worth * UNIT) / (usd.get(code) as bigint) / increment + 1n) * increment) as Decimal
    }
    const [minBaseAmount, minQuoteAmount] = [atLeast(baseAsset), atLeast(quoteAsset)]
    return { id: `${baseAsset}-${quoteAsset}`, baseAsset, quoteAsset, minBaseAmount, minQuoteAmount }
  }
  list('USDC', 'USD', 0.95)
  list('EURC', 'USD', 0.6)
  list('EURC', 'USDC', 0.6)
  for (const [index, code] of others.entries()) {
    for (const money of MONEY) list(code, money, money === 'EURC' ? 0.3 : 0.7)
    for (const other of others.slice(index + 1)) list(code, other, 0.4)
  }

  function rate(market: MarketFacts, side: Side, asset: string, amount: bigint): bigint | undefined {
    const { narrowPpm, slopePpm, deepest } = terms.get(market.id) as Terms
    const [base, quote] = [usd.get(market.baseAsset) as bigint, usd.get(market.quoteAsset) as bigint]
    const worth = (amount * (asset === market.baseAsset ? base : quote)) / UNIT
    if (deepest !== undefined && worth > deepest) return undefined
    const wide = narrowPpm + (slopePpm * worth) / (10_000n * UNIT)
    const half = wide < MOST_PPM ? wide : MOST_PPM
    return (((base * UNIT) / quote) * (side === 'BUY' ? 1_000_000n + half : 1_000_000n - half)) / 1_000_000n
  }

  const positions = positionsOf(assets, usd, chance)
  const own = policyOf(others, chance)
  const isBounded = chance() < 0.3
  return {
    policy: policy.parse({ ...own, ...(isBounded && limitsOfPolicy(chance)) }) as RebalancePolicy,
    usd,
    rate,
    isShallow: (asset) =>
      markets.some(
        ({ id, baseAsset, quoteAsset }) =>
          (baseAsset === asset || quoteAsset === asset) && terms.get(id)?.deepest !== undefined,
      ),
    observe({ marketId, side, amount, amountAsset }) {
      const market = markets.find(({ id }) => id === marketId) as MarketFacts
      const asset = amountAsset ?? market.baseAsset
      const given = amount === undefined ? market.minBaseAmount : parse(amount)
      const at = rate(market, side, asset, given)
      if (at === undefined) return undefined
      const baseAmount = asset === market.baseAsset ? given : (given * UNIT) / at
      return { marketId, side, baseAmount: baseAmount as Decimal, rate: at as Decimal }
    },
    snapshot: {
      takenAtMs: Date.UTC(2026, 0, 5, 9),
      valuationAsset: 'USD',
      positions,
      assets,
      markets,
      prices: [],
      contacts: new Map(),
      limits: isBounded ? limitsOf(markets, assets, usd, chance) : { assets: new Map(), contacts: new Map() },
      turnoverToday: 0n as Decimal,
    },
  }
}

function assetOf(assetSymbol: string, price: bigint, isOdd: boolean, chance: Chance): AssetFacts {
  const isEquity = EQUITIES.includes(assetSymbol)
  const isMoney = MONEY.includes(assetSymbol)
  // An increment is worth at most a tenth of a dollar, or a few hundred of them if it is coarse.
  const isCoarse = isOdd && !isMoney && chance() < 0.2
  const finest = Math.max(0, Math.ceil(Math.log10(Number(price) / (isCoarse ? 4e20 : 1e17))))
  const places = assetSymbol === 'USD' ? 2 : isMoney || isEquity ? Math.max(finest, 6) : isCoarse ? finest : 8
  const increment = (10n ** BigInt(18 - places)) as Decimal
  const cap = chance() < 0.15 ? dec(20_000) : dec(10_000_000)
  return {
    assetSymbol,
    assetClass: isMoney ? 'STABLECOIN' : isEquity ? 'STOCK' : 'CRYPTO',
    increment,
    maxIndicativeAmount: (((cap * UNIT) / price / increment + 1n) * increment) as Decimal,
    minimumWithdrawal: 0n as Decimal,
    minimumInternalWithdrawal: 0n as Decimal,
    networks: [],
  }
}

function termsOf(isOdd: boolean, chance: Chance): Terms {
  const deepest = isOdd && chance() < 0.2 ? BigInt(Math.floor(chance() * 3)) * dec(10_000) : undefined
  const narrowPpm = BigInt(Math.floor(100 * 100 ** chance()))
  return { narrowPpm, slopePpm: BigInt(Math.floor(chance() * chance() * 4_000)), deepest }
}

function positionsOf(assets: ReadonlyMap<string, AssetFacts>, usd: ReadonlyMap<string, bigint>, chance: Chance) {
  const positions = new Map<string, Position>()
  for (const [code, asset] of assets) {
    if (chance() < 0.3) continue
    const worth = dec(chance() < 0.15 ? chance() * 50 : chance() * 60_000)
    const units = (((worth * UNIT) / (usd.get(code) as bigint) / asset.increment) * asset.increment) as Decimal
    positions.set(code, { asset, spendable: units, holding: units })
  }
  return positions
}

function policyOf(others: readonly string[], chance: Chance) {
  const hubs = MONEY.filter(() => chance() < 0.5)
  const named = [...others, ...MONEY].filter((code) => chance() < (MONEY.includes(code) ? 0.25 : 0.85))
  const codes = named.length < 2 ? ['BTC', 'USD'] : named
  const parts = codes.map(() => 1 + Math.floor(chance() * 9))
  const sum = parts.reduce((total, part) => total + part, 0)
  const shares = parts.map((part) => Math.floor((part * 1_000_000) / sum))
  shares[0] = (shares[0] as number) + 1_000_000 - shares.reduce((total, share) => total + share, 0)
  return {
    kind: 'rebalance',
    weights: Object.fromEntries(codes.map((code, index) => [code, ((shares[index] as number) / 1_000_000).toFixed(6)])),
    band: { of: chance() < 0.5 ? 'absolute' : 'relative', bps: 50 + Math.floor(chance() * 550) },
    smallestTrade: (chance() * 60).toFixed(2),
    ...(hubs.length > 0 && { hubs: chance() < 0.5 ? hubs : hubs.toReversed() }),
  }
}

function limitsOfPolicy(chance: Chance) {
  const some = (least: number) => (chance() < 0.3 ? (least + chance() * 30_000).toFixed(2) : undefined)
  return { largestTrade: some(2_000), turnover: { run: some(5_000), day: some(5_000) } }
}

function limitsOf(
  markets: readonly MarketFacts[],
  assets: ReadonlyMap<string, AssetFacts>,
  usd: ReadonlyMap<string, bigint>,
  chance: Chance,
): Snapshot['limits'] {
  const some = (least: number) => (chance() < 0.3 ? { value: dec(least + chance() * 30_000, 2) } : undefined)
  const [largest, left] = [some(2_000), some(5_000)]
  const ofAssets = [...assets.keys()].flatMap((code) => {
    if (chance() < 0.8) return []
    const units = (worth: number) => ((dec(worth) * UNIT) / (usd.get(code) as bigint)) as Decimal
    return [[code, { largest: units(1_000 + chance() * 20_000), leftToday: units(1_000 + chance() * 40_000) }] as const]
  })
  const allowed = chance() < 0.4 ? new Set(markets.filter(() => chance() < 0.8).map(({ id }) => id)) : undefined
  return {
    ...(largest && { largestValue: largest.value }),
    ...(left && { leftTodayValue: left.value }),
    assets: new Map(ofAssets),
    contacts: new Map(),
    ...(allowed && { allowedMarkets: allowed }),
  }
}

/** A portfolio in words, for a failure. */
export function describePortfolio({ policy: { weights, hubs, band, smallestTrade }, snapshot }: Portfolio): string {
  const held = [...snapshot.positions].map(([code, { spendable }]) => `${textOf(spendable)} ${code}`)
  const markets = snapshot.markets.map(({ id }) => id)
  return JSON.stringify({ weights, hubs, band, smallestTrade, held, markets })
}
