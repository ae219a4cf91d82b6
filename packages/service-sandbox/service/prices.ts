// Computes prices: a seeded process around each asset's opening price, and a dealer's spread that grows with size. A
// price shows what a quote would cost; it moves nothing.
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
/** Fiat and pegged money moves this many times less. */
const CALM = 20
/** Half of the spread for the smallest size, in parts per million. */
const HALF_SPREAD_PPM = { pegged: amount('200'), other: amount('1000') }
/** Added to half of the spread for each 10,000 US dollars. */
const PPM_PER_TEN_THOUSAND_USD = amount('50')
const WIDEST_HALF_SPREAD_PPM = amount('50000')
/** Significant digits of a rate. */
const SIGNIFICANT_DIGITS = 8

export class Prices {
  readonly #seed: string
  readonly #openedAtMs: number
  readonly #starts = new Map<string, number>()
  /** Mids that a control call has fixed, by market. */
  readonly #fixedMids = new Map<string, Amount>()

  constructor(seed: string, openedAtMs: number) {
    this.#seed = seed
    this.#openedAtMs = openedAtMs
  }

  fix(marketId: string, mid: Amount | null): void {
    if (mid === null) this.#fixedMids.delete(marketId)
    else this.#fixedMids.set(marketId, mid)
  }

  /** Returns US dollars per settled unit. */
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

  /** Returns quote units per settled base unit, before any spread. */
  mid(market: Market, nowMs: number): Amount {
    return this.#fixedMids.get(market.id) ?? divideDown(this.usd(market.base, nowMs), this.usd(market.quote, nowMs))
  }

  /** Returns the customer's rate: worse than the mid by half of the spread, with `SIGNIFICANT_DIGITS` digits. */
  rate(market: Market, side: Side, size: Size, nowMs: number): Amount {
    const mid = this.mid(market, nowMs)
    const quoteSize = size.leg === 'quote' ? size.amount : multiplyDown(size.amount, mid)
    const usdSize = multiplyDown(quoteSize, this.usd(market.quote, nowMs))
    const halfSpread = halfSpreadPpm(market, usdSize)
    return side === 'BUY'
      ? inDigits(partsPerMillion(mid, MILLION.plus(halfSpread)), SIGNIFICANT_DIGITS, 'up')
      : inDigits(partsPerMillion(mid, MILLION.minus(halfSpread)), SIGNIFICANT_DIGITS, 'down')
  }

  /** Returns the value of an amount in another asset, truncated to the other asset's increment. */
  value(quantity: Amount, asset: Asset, inSymbol: string, nowMs: number): Amount {
    const target = assetOf(inSymbol)
    const usd = multiplyDown(quantity, this.usd(asset, nowMs))
    return truncateTo(divideDown(usd, this.usd(target, nowMs)), target.increment)
  }
}

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
