// Prices: a seeded process that wanders around each asset's opening price, and a dealer's spread
// that grows with size. A price says what a quote would cost; it never moves anything.
import { divideDown, multiplyDown, ONE, raiseTo, truncateTo } from './amount.ts'
import { type Asset, assetOf } from './assets.ts'
import type { Side } from './fields.ts'
import type { Market } from './markets.ts'
import { noisePpm, seededNumber } from './seeded.ts'

const MILLION = 1_000_000n
/** Period and largest swing (parts per million) of each layer of noise. */
const LAYERS = [
  { periodMs: 1_800_000, swingPpm: 9_000 },
  { periodMs: 120_000, swingPpm: 1_500 },
  { periodMs: 10_000, swingPpm: 300 },
] as const
/** Money that is pegged or fiat moves this many times less. */
const CALM = 20
/** Half of the spread for the smallest size, and how much each 10,000 US dollars add. */
const HALF_SPREAD_PPM = { pegged: 200n, other: 1_000n }
const PPM_PER_TEN_THOUSAND_USD = 50n
const WIDEST_HALF_SPREAD_PPM = 50_000n
/** Digits that a rate has. */
const SIGNIFICANT_DIGITS = 8

export class Prices {
  readonly #seed: string
  readonly #openedAtMs: number
  readonly #starts = new Map<string, number>()
  /** Mids that a control call has nailed down, by market. */
  readonly #fixedMids = new Map<string, bigint>()

  constructor(seed: string, openedAtMs: number) {
    this.#seed = seed
    this.#openedAtMs = openedAtMs
  }

  fix(marketId: string, mid: bigint | null): void {
    if (mid === null) this.#fixedMids.delete(marketId)
    else this.#fixedMids.set(marketId, mid)
  }

  /** US dollars per settled unit. */
  usd(asset: Asset, nowMs: number): bigint {
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
    return (asset.openingUsd * (MILLION + BigInt(ppm))) / MILLION
  }

  /** Quote units per settled base unit, before any spread. */
  mid(market: Market, nowMs: number): bigint {
    return this.#fixedMids.get(market.id) ?? divideDown(this.usd(market.base, nowMs), this.usd(market.quote, nowMs))
  }

  /** The rate that a customer gets: worse than the mid by half of the spread, in `SIGNIFICANT_DIGITS` digits. */
  rate(market: Market, side: Side, size: Size, nowMs: number): bigint {
    const mid = this.mid(market, nowMs)
    const quoteSize = size.leg === 'quote' ? size.amount : multiplyDown(size.amount, mid)
    const usdSize = multiplyDown(quoteSize, this.usd(market.quote, nowMs))
    const halfSpread = halfSpreadPpm(market, usdSize)
    return side === 'BUY'
      ? rounded((mid * (MILLION + halfSpread)) / MILLION, raiseTo)
      : rounded((mid * (MILLION - halfSpread)) / MILLION, truncateTo)
  }

  /** Value of an amount of one asset in another, truncated to the other's increment. */
  value(quantity: bigint, asset: Asset, inSymbol: string, nowMs: number): bigint {
    const target = assetOf(inSymbol)
    const usd = multiplyDown(quantity, this.usd(asset, nowMs))
    return truncateTo(divideDown(usd, this.usd(target, nowMs)), target.increment)
  }
}

/** An amount of one leg of a market, in settled units. */
export interface Size {
  readonly leg: 'base' | 'quote'
  readonly amount: bigint
}

function halfSpreadPpm(market: Market, usdSize: bigint): bigint {
  const narrow = isPegged(market.base) && isPegged(market.quote) ? HALF_SPREAD_PPM.pegged : HALF_SPREAD_PPM.other
  const wide = narrow + (PPM_PER_TEN_THOUSAND_USD * usdSize) / (10_000n * ONE)
  return wide < WIDEST_HALF_SPREAD_PPM ? wide : WIDEST_HALF_SPREAD_PPM
}

function isPegged(asset: Asset): boolean {
  return asset.assetClass === 'FIAT' || asset.assetClass === 'STABLECOIN'
}

function rounded(rate: bigint, round: (value: bigint, increment: bigint) => bigint): bigint {
  const spare = rate.toString().length - SIGNIFICANT_DIGITS
  return spare <= 0 ? rate : round(rate, 10n ** BigInt(spare))
}
