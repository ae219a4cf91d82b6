// Describes conversions: the market with both assets, the side and the amounts. It lists the ways in which a service
// quotes or shows another conversion than the requested one. The judge compares a movement with the request alone.
import type { ConvertRequest } from '../../core/contract/convert.ts'
import { IntentKind } from '../../core/contract/records.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'

export interface Deal {
  readonly market: string
  readonly baseAsset: string
  readonly quoteAsset: string
  readonly side: 'BUY' | 'SELL'
  readonly baseAmount: string
  readonly quoteAmount: string
}

/** Settled codes. */
export const LEGS = { baseAsset: 'BTC', quoteAsset: 'USDC' } as const
export const MARKET = `${LEGS.baseAsset}-${LEGS.quoteAsset}`
/** The market's indicative price on either side. */
export const INDICATIVE_RATE = '50000'
/** Settled code of the asset that withdrawals send, and that some conversions sell. */
export const WITHDRAWN_ASSET = 'AAPLSPV'
export const LEGS_OF_WITHDRAWN = { ...LEGS, baseAsset: WITHDRAWN_ASSET } as const
/** A second name of the base asset. */
export const TICKER = 'BTCX'

type Change = (deal: Deal) => Partial<Deal>

const doubled: Change = ({ baseAmount, quoteAmount }) => ({
  baseAmount: String(2 * Number(baseAmount)),
  quoteAmount: String(2 * Number(quoteAmount)),
})

/** Quotes, and executions by that quote, that differ from the request. */
export const MISQUOTES = {
  'another market': () => ({ market: 'BTC-USDT', quoteAsset: 'USDT' }),
  'another pair': () => ({ market: 'ETH-USDC', baseAsset: 'ETH' }),
  'the market the other way round': () => ({ market: 'USDC-BTC', baseAsset: 'USDC', quoteAsset: 'BTC' }),
  'another amount': doubled,
} as const satisfies Readonly<Record<string, Change>>

/** Orders that differ from their quote. The last two differ only in their assets or their figures. */
export const MISTOLD_ORDERS = {
  ...MISQUOTES,
  'another side': ({ side }) => ({ side: side === 'BUY' ? 'SELL' : 'BUY' }),
  'assets of another market': () => ({ baseAsset: 'ETH' }),
} as const satisfies Readonly<Record<string, Change>>

/** Other spellings of the market and of the base asset in a request. */
export const SPELLINGS = {
  'in lower case': { market: MARKET.toLowerCase(), baseAsset: LEGS.baseAsset.toLowerCase() },
  padded: { market: `${MARKET} `, baseAsset: LEGS.baseAsset },
  'by a ticker': { market: `${TICKER}-${LEGS.quoteAsset}`, baseAsset: TICKER },
} as const

/** Returns how a movement differs from the request, or undefined. The requested amount is of the base asset here. */
export function judgeDeal({ kind, params }: StoredRecord, deal: Deal | undefined): string | undefined {
  if (kind !== IntentKind.Convert || deal === undefined) return undefined
  const { side, amount, baseAsset } = params as ConvertRequest
  const legs = baseAsset === WITHDRAWN_ASSET ? LEGS_OF_WITHDRAWN : LEGS
  if (deal.baseAsset === legs.baseAsset && deal.quoteAsset === LEGS.quoteAsset && deal.side === side)
    return Number(deal.baseAmount) === Number(amount) ? undefined : 'a conversion of another amount than was asked for'
  return `a conversion that was not asked for: ${deal.side} ${deal.baseAsset} for ${deal.quoteAsset}`
}
