// Holds reference data: the pairs that can be converted, and the minimum amount of each leg. A market id uses settled
// codes, whichever spelling a caller used.
import { type Amount, amount, divideDown, multiplyDown, ONE, powerOfTen, raiseTo } from './amount.ts'
import { ASSETS, type Asset, assetOf, findAsset } from './assets.ts'

export interface Market {
  readonly id: string
  readonly base: Asset
  readonly quote: Asset
  /** Minimum amounts, in settled units. */
  readonly minBaseAmount: Amount
  readonly minQuoteAmount: Amount
}

/** Quote assets, with the minimum amount of each. */
const MINIMUM_QUOTE: Readonly<Record<string, Amount>> = {
  USD: amount('5'),
  EUR: amount('5'),
  USDC: amount('5'),
  USDT: amount('5'),
  BTC: amount('0.0001'),
}

/** Pairs beside those of every crypto asset and equity with USD and USDC. */
const FURTHER_PAIRS = [
  'EUR-USD',
  'GBP-USD',
  'CHF-USD',
  'BRL-USD',
  'MXN-USD',
  'COP-USD',
  'CLP-USD',
  'GBP-EUR',
  'USDC-USD',
  'USDT-USD',
  'DAI-USD',
  'USDT-USDC',
  'USDC-EUR',
  'EURC-EUR',
  'EURC-USDC',
  'BTC-EUR',
  'ETH-EUR',
  'BTC-USDT',
  'ETH-USDT',
  'ETH-BTC',
]

function toMarket(id: string): Market {
  const [base, quote] = id.split('-').map(assetOf) as [Asset, Asset]
  const minQuoteAmount = MINIMUM_QUOTE[quote.symbol] ?? ONE
  // Ten times the smallest quote amount is a safe base minimum, however the price moves.
  const inBase = divideDown(multiplyDown(minQuoteAmount.times(10), quote.openingUsd), base.openingUsd)
  return { id, base, quote, minBaseAmount: raiseTo(powerOfTen(inBase), base.increment), minQuoteAmount }
}

export const MARKETS: readonly Market[] = [
  ...ASSETS.filter(({ assetClass }) => assetClass === 'CRYPTO' || assetClass === 'STOCK').flatMap(({ symbol }) => [
    `${symbol}-USD`,
    `${symbol}-USDC`,
  ]),
  ...FURTHER_PAIRS,
].map(toMarket)

const BY_ID = new Map(MARKETS.map((market) => [market.id, market]))

/** Finds a market by either spelling of each leg, in any case. Swapped legs do not match. */
export function findMarket(id: string): Market | undefined {
  const exact = BY_ID.get(id)
  if (exact !== undefined) return exact
  const legs = id.split('-')
  return legs.length === 2 ? findMarketOf(legs[0] as string, legs[1] as string) : undefined
}

export function findMarketOf(baseCode: string, quoteCode: string): Market | undefined {
  const base = findAsset(baseCode)
  const quote = findAsset(quoteCode)
  return base && quote && BY_ID.get(`${base.symbol}-${quote.symbol}`)
}

/** Finds a market by canonical id, for ids from this table. Throws for any other. */
export function marketOf(id: string): Market {
  const market = BY_ID.get(id)
  if (market === undefined) throw new Error(`no such market: ${id}`)
  return market
}
