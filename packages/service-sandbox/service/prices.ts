// Prices: a seeded process that wanders around each asset's opening price, and a dealer's spread
// that grows with size. A price says what a quote would cost; it never moves anything.
import { type Amount, amount, cutDown, divideDown, inDigits, multiplyDown, ONE, truncateTo } from './amount.ts'
import { type Asset, assetOf } from './assets.ts'
import type { Side } from './fields.ts'
import type { Market } from './markets.ts'
import { noisePpm, seededNumber } from './seeded.ts'

const MILLION = amount('1000000')
const TEN_THOUSAND = amount('10000')
/** Period and largest swing (parts per million) of each layer of noise. */
const LAYERS = [
  { periodMs: 1_800_000, swingPpm: 9_000 },
  { periodMs: 120_000, swingPpm: 1_500 },
  { periodMs: 10_000, swingPpm: 300 },
] as const
/** Money that is pegged or fiat moves this many times less. */
const CALM = 20
/** Half of the spread for the smallest size, and how much each 10,000 US dollars add. */
const HALF_SPREAD_PPM = { pegged: amount('200'), other: amount('1000') }
const PPM_PER_TEN_THOUSAND_USD = amount('50')
const WIDEST_HALF_SPREAD_PPM = amount('50000')
/** Digits that a rate has. */
const SIGNIFICANT_DIGITS = 8

export class Prices {
  readonly #seed: string
  readonly #openedAtMs: number
  readonly #starts = new Map<string, number>()
  /** Mids that a control call has nailed down, by market. */
  readonly #fixedMids = new Map<string, Amount>()

  constructor(seed: string, openedAtMs: number) {
    this.#seed = seed
    this.#openedAtMs = openedAtMs
  }

  fix(marketId: string, mid: Amount | null): void {
    if (mid === null) this.#fixedMids.delete(marketId)
    else this.#fixedMids.set(marketId, mid)
  }

  /** US dollars per settled unit. */
  usd(asset: Asset, nowMs: number): Amount {
    if (asset.symbol === 'USD') return ONE
    let start = this.#starts.get(asset.symbol)
    if (start === undefined) {
      start = seededNumber(this.#seed, `price ${asset.symbol}`)
      this.#starts.set(asset.symbol, start)
    }
    let ppm = 0
    for (const [layer, { periodMs, swingPpm }] of LAYERS.entries()) {
      ppm += Math.trunc((noisePpm(start + layer, nowMs - this.#openedAtMs, periodMs) * swingPpm) / 1_000_000)
    }
    if (isPegged(asset)) ppm = Math.trunc(ppm / CALM)
    return partsPerMillion(asset.openingUsd, MILLION.plus(ppm))
  }

  /** Quote units per settled base unit, before any spread. */
  mid(market: Market, nowMs: number): Amount {
    return this.#fixedMids.get(market.id) ?? divideDown(this.usd(market.base, nowMs), this.usd(market.quote, nowMs))
  }

  /** The rate that a customer gets: worse than the mid by half of the spread, in `SIGNIFICANT_DIGITS` digits. */
  rate(market: Market, side: Side, size: Size, nowMs: number): Amount {
    const mid = this.mid(market, nowMs)
    const quoteSize = size.leg === 'quote' ? size.amount : multiplyDown(size.amount, mid)
    const usdSize = multiplyDown(quoteSize, this.usd(market.quote, nowMs))
    const halfSpread = halfSpreadPpm(market, usdSize)
    return side === 'BUY'
      ? inDigits(partsPerMillion(mid, MILLION.plus(halfSpread)), SIGNIFICANT_DIGITS, 'up')
      : inDigits(partsPerMillion(mid, MILLION.minus(halfSpread)), SIGNIFICANT_DIGITS, 'down')
  }

  /** Value of an amount of one asset in another, truncated to the other's increment. */
  value(quantity: Amount, asset: Asset, inSymbol: string, nowMs: number): Amount {
    const target = assetOf(inSymbol)
    const usd = multiplyDown(quantity, this.usd(asset, nowMs))
    return truncateTo(divideDown(usd, this.usd(target, nowMs)), target.increment)
  }
}

/** An amount of one leg of a market, in settled units. */
export interface Size {
  readonly leg: 'base' | 'quote'
  readonly amount: Amount
}

function halfSpreadPpm(market: Market, usdSize: Amount): Amount {
  const narrow = isPegged(market.base) && isPegged(market.quote) ? HALF_SPREAD_PPM.pegged : HALF_SPREAD_PPM.other
  const wide = narrow.plus(PPM_PER_TEN_THOUSAND_USD.times(usdSize).div(TEN_THOUSAND).floor())
  return wide.lt(WIDEST_HALF_SPREAD_PPM) ? wide : WIDEST_HALF_SPREAD_PPM
}

function isPegged(asset: Asset): boolean {
  return asset.assetClass === 'FIAT' || asset.assetClass === 'STABLECOIN'
}

function partsPerMillion(value: Amount, ppm: Amount): Amount {
  return cutDown(value.times(ppm).div(MILLION))
}
