// Computes rates of markets at a size, from indicative prices at a few sizes. Uncertain rates err against us: a larger size
// never counts as cheaper than a smaller one, and a rate between two sizes is rounded to the dearer side. Pure.
import {
  compareScaled,
  type Decimal,
  divide,
  greatest,
  least,
  middleOf,
  minus,
  multiply,
  parseDecimal,
  partOf,
  plus,
  ZERO,
} from '../../money/decimal.ts'
import type { Hop } from './market-index.ts'
import type { MarketFacts, PriceObservation, RequiredPrice } from './snapshot.ts'

export type Side = PriceObservation['side']

export interface Rates {
  /**
   * Quote units per base unit for spending `amount` of `hop.gives`. Linear between known sizes; below the smallest and above
   * the largest their own rate applies. Undefined: no price of this side is known, or the service has none for this size.
   */
  rateFor(hop: Omit<Hop, 'leg'>, amount: Decimal): Decimal | undefined
  /** Units that spending `amount` brings at that rate, before they are cut to the asset's increment. */
  bringsFor(hop: Hop, amount: Decimal): Decimal | undefined
  /** Middle of both sides at their smallest sizes. Undefined unless both are known. */
  middleOf(market: MarketFacts): Decimal | undefined
  /** Rate of one side at its smallest size. Undefined: not known. */
  sideOf(market: MarketFacts, side: Side): Decimal | undefined
  /** Rates of both sides for spending `amount` of `asset`. Undefined unless both are known. */
  sidesAt(market: MarketFacts, asset: string, amount: Decimal): { buy: Decimal; sell: Decimal } | undefined
  /** The least amount of `asset` for which the service had no price on this side. Undefined: it had a price for each. */
  leastRefused(market: MarketFacts, side: Side, asset: string): Decimal | undefined
  /** Whether a price of about this size, or of a larger size, is known on this side. */
  isCovered(market: MarketFacts, side: Side, asset: string, amount: Decimal): boolean
}

type Point = Pick<PriceObservation, 'baseAmount' | 'rate'>
type Book = Partial<Record<Side, Point[]>>

/** In tenths: a size counts as known where a price of at least nine tenths of it is known. */
const COVERED_TENTHS = 9n
const NONE: readonly Point[] = []

export function createRates(observations: readonly PriceObservation[], missing: readonly RequiredPrice[] = []): Rates {
  const books = readBooks(observations)
  const pointsOf = (market: MarketFacts, side: Side) => books.get(market.id)?.[side] ?? NONE
  const refused = readRefused(missing)

  function rateAt(market: MarketFacts, side: Side, asset: string, amount: Decimal): Decimal | undefined {
    const refusedFrom = leastRefused(market, side, asset)
    if (refusedFrom !== undefined && amount >= refusedFrom) return undefined
    return rateAmong(pointsOf(market, side), side, asset === market.baseAsset ? 'base' : 'quote', amount)
  }

  function leastRefused(market: MarketFacts, side: Side, asset: string): Decimal | undefined {
    const prices = refused.size === 0 ? undefined : refused.get(`${side} ${market.id}`)
    if (prices === undefined) return undefined
    const isBase = asset === market.baseAsset
    const largest = pointsOf(market, side).at(-1)
    const smallest = isBase ? market.minBaseAmount : market.minQuoteAmount
    return prices
      .map(({ amount, amountAsset }) => {
        if (amount === undefined) return smallest
        const units = parseDecimal(amount, 'amount')
        if (amountAsset === asset) return units
        // Converted into the other asset of the market, by the price of the largest known size.
        if (largest === undefined) return smallest
        return isBase ? divide(units, largest.rate, 'down') : multiply(units, largest.rate, 'down')
      })
      .reduce(least)
  }

  const rates: Rates = {
    rateFor: ({ market, side, gives }, amount) => rateAt(market, side, gives, amount),

    bringsFor(hop, amount) {
      const rate = rates.rateFor(hop, amount)
      if (rate === undefined) return undefined
      return hop.side === 'SELL' ? multiply(amount, rate, 'down') : divide(amount, rate, 'down')
    },

    middleOf(market) {
      const book = books.get(market.id)
      const buy = book?.BUY?.[0]
      const sell = book?.SELL?.[0]
      return buy && sell && middleOf(buy.rate, sell.rate, 'down')
    },

    sideOf: (market, side) => pointsOf(market, side)[0]?.rate,

    sidesAt(market, asset, amount) {
      const buy = rateAt(market, 'BUY', asset, amount)
      const sell = rateAt(market, 'SELL', asset, amount)
      return buy === undefined || sell === undefined ? undefined : { buy, sell }
    },

    leastRefused,

    isCovered(market, side, asset, amount) {
      const leg = asset === market.baseAsset ? 'base' : 'quote'
      const largest = pointsOf(market, side).at(-1)
      return largest !== undefined && compareScaled(sizeOf(largest, leg), 10n, amount, COVERED_TENTHS) >= 0
    },
  }
  return rates
}

/** By side and market: prices that the service did not have. */
function readRefused(missing: readonly RequiredPrice[]): ReadonlyMap<string, readonly RequiredPrice[]> {
  const refused = new Map<string, RequiredPrice[]>()
  for (const price of missing) {
    const key = `${price.side} ${price.marketId}`
    refused.set(key, [...(refused.get(key) ?? []), price])
  }
  return refused
}

/** By market: each side's points by rising size. A rate of zero means nothing, and is left out. */
function readBooks(observations: readonly PriceObservation[]): ReadonlyMap<string, Book> {
  const books = new Map<string, Book>()
  let book: Book = {}
  let marketId: string | undefined
  for (const observation of observations) {
    if (observation.rate <= 0n) continue
    // Observations of one market mostly follow each other.
    if (observation.marketId !== marketId) {
      marketId = observation.marketId
      book = books.get(marketId) ?? {}
      books.set(marketId, book)
    }
    const points = book[observation.side]
    if (points === undefined) book[observation.side] = [observation]
    else points.push(observation)
  }
  for (const book of books.values()) {
    if (book.BUY) book.BUY = bySize(book.BUY, 'BUY')
    if (book.SELL) book.SELL = bySize(book.SELL, 'SELL')
  }
  return books
}

function bySize(observed: Point[], side: Side): Point[] {
  if (observed.length < 2) return observed
  const points: Point[] = []
  for (const { baseAmount, rate } of observed.toSorted((a, b) => compare(a.baseAmount, b.baseAmount))) {
    const before = points.at(-1)
    const worse = before !== undefined && isWorse(side, before.rate, rate) ? before.rate : rate
    // Two prices of the same size, from two moments: the worse one counts.
    if (before?.baseAmount === baseAmount) points.pop()
    points.push({ baseAmount, rate: worse })
  }
  return points
}

function sizeOf({ baseAmount, rate }: Point, leg: 'base' | 'quote'): Decimal {
  return leg === 'base' ? baseAmount : multiply(baseAmount, rate, 'down')
}

function rateAmong(points: readonly Point[], side: Side, leg: 'base' | 'quote', amount: Decimal): Decimal | undefined {
  if (points.length < 2) return points[0]?.rate
  let before: Point | undefined
  for (const point of points) {
    if (amount <= sizeOf(point, leg))
      return before === undefined ? point.rate : between(before, point, side, leg, amount)
    before = point
  }
  return before?.rate
}

function between(from: Point, to: Point, side: Side, leg: 'base' | 'quote', amount: Decimal): Decimal {
  const start = sizeOf(from, leg)
  const span = minus(sizeOf(to, leg), start)
  if (span <= 0n) return to.rate
  const step = minus(amount, start)
  const change = side === 'BUY' ? minus(to.rate, from.rate) : minus(from.rate, to.rate)
  const moved = partOf(change, greatest(step, ZERO), span, 'up')
  return side === 'BUY' ? plus(from.rate, moved) : minus(from.rate, moved)
}

function isWorse(side: Side, rate: Decimal, than: Decimal): boolean {
  return side === 'BUY' ? rate > than : rate < than
}

function compare(left: Decimal, right: Decimal): number {
  return left < right ? -1 : left > right ? 1 : 0
}
