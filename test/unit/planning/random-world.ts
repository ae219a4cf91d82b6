// Draws a random account, its markets and a policy from one seed: cheap enough for tens of thousands of worlds. Prices
// are the world's own: a middle and a spread that grows with size. Shares no arithmetic with the planners.
import type { RebalancePolicy } from '../../../core/contract/policies.ts'
import { policy } from '../../../core/contract/policies.ts'
import type { Decimal } from '../../../core/money/decimal.ts'
import type {
  AssetFacts,
  MarketFacts,
  Position,
  PriceObservation,
  RequiredPrice,
  Snapshot,
} from '../../../core/planning/market/snapshot.ts'

export const UNIT = 10n ** 18n

export type Chance = () => number

/** mulberry32 */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export interface World {
  readonly chance: Chance
  /** US dollars of a unit. */
  readonly usd: ReadonlyMap<string, bigint>
  readonly assets: ReadonlyMap<string, AssetFacts>
  readonly markets: readonly MarketFacts[]
  readonly narrowPpm: bigint
  readonly slopePpm: bigint
  /** Side's rate of a market for an amount of one of its legs. */
  rate(market: MarketFacts, side: 'BUY' | 'SELL', asset: string, amount: bigint): bigint
  observe(required: RequiredPrice): PriceObservation
}

const HUBS = ['USD', 'USDC']
const OTHERS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF']

export function dec(value: number, digits = 6): Decimal {
  return (BigInt(Math.round(value * 10 ** digits)) * 10n ** BigInt(18 - digits)) as Decimal
}

export function textOf(value: bigint): string {
  const whole = value / UNIT
  const fraction = (value % UNIT).toString().padStart(18, '0').replace(/0+$/, '')
  return fraction === '' ? `${whole}` : `${whole}.${fraction}`
}

export function randomWorld(seed: number): World {
  const chance = chanceOf(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(chance() * items.length)] as Item
  const codes = [...HUBS, ...OTHERS.slice(0, 1 + Math.floor(chance() * OTHERS.length))]
  const usd = new Map(
    codes.map((code) => [
      code,
      code === 'USD' ? UNIT : code === 'USDC' ? dec(0.999 + chance() * 0.002) : dec(10 ** (chance() * 6 - 2)),
    ]),
  )
  const assets = new Map(
    codes.map((assetSymbol): [string, AssetFacts] => {
      const isHub = HUBS.includes(assetSymbol)
      // An increment is worth at most a tenth of a dollar: a separate test covers the remainder of a coarse increment.
      const finest = Math.max(0, Math.ceil(Math.log10(Number(usd.get(assetSymbol)) / 1e17)))
      const places = assetSymbol === 'USD' ? 2 : isHub ? 6 : Math.max(finest, pick([0, 2, 6, 8]))
      const increment = (10n ** BigInt(18 - places)) as Decimal
      const cap = chance() < 0.1 ? dec(2_000) : chance() < 0.5 ? dec(0) : dec(10_000_000)
      const price = usd.get(assetSymbol) as bigint
      const zero = dec(0)
      return [
        assetSymbol,
        {
          assetSymbol,
          assetClass: isHub ? 'FIAT' : 'CRYPTO',
          increment,
          maxIndicativeAmount: cap === 0n ? cap : ((((cap * UNIT) / price / increment + 1n) * increment) as Decimal),
          minimumWithdrawal: zero,
          minimumInternalWithdrawal: zero,
          networks: [],
        },
      ]
    }),
  )
  const markets: MarketFacts[] = []
  const list = (base: string, quote: string, likelihood: number) => {
    if (chance() >= likelihood) return
    const [baseAsset, quoteAsset] = chance() < 0.15 ? [quote, base] : [base, quote]
    const price = (asset: string) => usd.get(asset) as bigint
    const atLeast = (asset: string, worth: bigint) => {
      const { increment } = assets.get(asset) as AssetFacts
      return (((worth * UNIT) / price(asset) / increment + 1n) * increment) as Decimal
    }
    markets.push({
      id: `${baseAsset}-${quoteAsset}`,
      baseAsset,
      quoteAsset,
      minBaseAmount: atLeast(baseAsset, dec(1)),
      minQuoteAmount: atLeast(quoteAsset, dec(5)),
    })
  }
  list('USDC', 'USD', 0.95)
  for (const code of codes.slice(HUBS.length)) {
    list(code, 'USD', 0.97)
    list(code, 'USDC', 0.4)
  }
  for (const [index, left] of codes.slice(HUBS.length).entries()) {
    for (const right of codes.slice(HUBS.length + index + 1)) list(left, right, 0.15)
  }
  const narrowPpm = BigInt(Math.floor(chance() * 5_000))
  const slopePpm = BigInt(Math.floor(chance() * 100))

  function rate(market: MarketFacts, side: 'BUY' | 'SELL', asset: string, amount: bigint): bigint {
    const base = usd.get(market.baseAsset) as bigint
    const quote = usd.get(market.quoteAsset) as bigint
    const middle = (base * UNIT) / quote
    const worth = (amount * (asset === market.baseAsset ? base : quote)) / UNIT
    const wide = narrowPpm + (slopePpm * worth) / (10_000n * UNIT)
    const half = wide < 50_000n ? wide : 50_000n
    return (middle * (side === 'BUY' ? 1_000_000n + half : 1_000_000n - half)) / 1_000_000n
  }

  return {
    chance,
    usd,
    assets,
    markets,
    narrowPpm,
    slopePpm,
    rate,
    observe({ marketId, side, amount, amountAsset }) {
      const market = markets.find(({ id }) => id === marketId) as MarketFacts
      const asset = amountAsset ?? market.baseAsset
      const given = amount === undefined ? market.minBaseAmount : parse(amount)
      const at = rate(market, side, asset, given)
      const baseAmount = asset === market.baseAsset ? given : (given * UNIT) / at
      return { marketId, side, baseAmount: baseAmount as Decimal, rate: at as Decimal }
    },
  }
}

export function parse(text: string): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
  const value = BigInt(whole) * UNIT + BigInt(fraction.padEnd(18, '0'))
  return text.startsWith('-') ? -value : value
}

export function randomPositions(world: World): Map<string, Position> {
  const { chance } = world
  const positions = new Map<string, Position>()
  for (const [code, asset] of world.assets) {
    if (chance() < 0.15) continue
    const worth = dec(chance() < 0.2 ? chance() * 20 : chance() * 50_000)
    const units = (((worth * UNIT) / (world.usd.get(code) as bigint) / asset.increment) * asset.increment) as Decimal
    const share = (part: number) =>
      (((units * BigInt(Math.floor(part * 1000))) / 1000n / asset.increment) * asset.increment) as Decimal
    const isMoving = chance() < 0.15
    positions.set(code, {
      asset,
      spendable: isMoving ? share(chance()) : units,
      holding: isMoving && chance() < 0.5 ? share(chance() * 1.3) : units,
      ...(chance() < 0.03 ? { inDoubt: `intent-${code}` } : {}),
    })
  }
  return positions
}

export function snapshotOf(
  world: World,
  positions: ReadonlyMap<string, Position>,
  changed: Partial<Snapshot> = {},
): Snapshot {
  return {
    takenAtMs: Date.UTC(2026, 0, 5, 9),
    valuationAsset: 'USD',
    positions,
    assets: world.assets,
    markets: world.markets,
    prices: [],
    contacts: new Map(),
    limits: { assets: new Map(), contacts: new Map(), outflow: new Map() },
    turnoverToday: 0n as Decimal,
    ...changed,
  }
}

export function randomLimits(world: World): Snapshot['limits'] {
  const { chance } = world
  const maybe = (most: number) => (chance() < 0.3 ? dec(chance() * most, 2) : undefined)
  const largestValue = maybe(20_000)
  const leftTodayValue = maybe(60_000)
  const assets = new Map(
    [...world.assets.keys()].flatMap((code) => {
      if (chance() < 0.8) return []
      const units = (worth: number) => ((dec(worth) * UNIT) / (world.usd.get(code) as bigint)) as Decimal
      return [[code, { largest: units(chance() * 20_000), leftToday: units(chance() * 40_000) }] as const]
    }),
  )
  return {
    ...(largestValue === undefined ? {} : { largestValue }),
    ...(leftTodayValue === undefined ? {} : { leftTodayValue }),
    assets,
    contacts: new Map(),
    outflow: new Map(),
    ...(chance() < 0.2
      ? { allowedMarkets: new Set(world.markets.filter(() => chance() < 0.7).map(({ id }) => id)) }
      : {}),
    ...(chance() < 0.3 ? { worstSlippageBps: Math.floor(chance() * 500) } : {}),
  }
}

export function randomRebalance(world: World, isBounded: boolean): RebalancePolicy {
  const { chance } = world
  const codes = [...world.assets.keys()].filter(() => chance() < 0.8)
  const named = codes.length === 0 ? ['USD'] : codes
  const thousandths = named.map(() => Math.floor(chance() * 1000) + (chance() < 0.1 ? 0 : 1))
  const sum = thousandths.reduce((total, one) => total + one, 0) || 1
  const shares = thousandths.map((one) => Math.floor((one * 1_000_000) / sum))
  shares[0] = (shares[0] ?? 0) + 1_000_000 - shares.reduce((total, one) => total + one, 0)
  const byWeight = chance() < 0.75
  const figures = Object.fromEntries(
    named.map((code, index) => [
      code,
      byWeight ? ((shares[index] ?? 0) / 1_000_000).toFixed(6) : (chance() * 30_000).toFixed(2),
    ]),
  )
  const some = (likelihood: number, most: number) => (chance() < likelihood ? (chance() * most).toFixed(2) : undefined)
  return policy.parse({
    kind: 'rebalance',
    ...(byWeight ? { weights: figures } : { amounts: figures }),
    band: { of: chance() < 0.5 ? 'absolute' : 'relative', bps: Math.floor(chance() * 600) },
    smallestTrade: (chance() * 100).toFixed(2),
    hubs: chance() < 0.4 ? undefined : chance() < 0.5 ? ['USD', 'USDC'] : ['USDC', 'USD'],
    reserve: Object.fromEntries(
      named
        .filter(() => chance() < 0.1)
        .map((code) => [code, textOf((dec(chance() * 10_000) * UNIT) / (world.usd.get(code) as bigint))]),
    ),
    leaveAlone: [...world.assets.keys()].filter((code) => !named.includes(code) && chance() < 0.2),
    ...(isBounded && {
      largestTrade: some(0.3, 20_000),
      turnover: { run: some(0.3, 60_000), day: some(0.3, 60_000) },
    }),
  }) as RebalancePolicy
}

/** Both sides of every market at its minimum, and at two sizes beyond. */
export function allPrices(world: World): PriceObservation[] {
  const sides = ['BUY', 'SELL'] as const
  return world.markets.flatMap(({ id, baseAsset, minBaseAmount }) =>
    [1n, 100n, 10_000n].flatMap((times) =>
      sides.map((side) =>
        world.observe({ marketId: id, side, amount: textOf(minBaseAmount * times), amountAsset: baseAsset }),
      ),
    ),
  )
}
