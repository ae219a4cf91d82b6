// The conversions of the tour: one that goes well, and two in which the service makes trouble.
import type { ConvertRequest } from '../../functions/contract/convert.ts'
import type { Mishap } from './witness.ts'

export interface TourConversion {
  readonly title: string
  readonly request: ConvertRequest
  /** What the sandbox does to it, once. */
  readonly mishap?: Mishap
}

/** How long the order that is accepted and not settled takes: long enough to see it being polled. */
const SETTLES_AFTER_MS = 1_500

export const tourConversions: readonly TourConversion[] = [
  {
    title: 'filled at once',
    request: { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.25' },
  },
  {
    title: 'settled later',
    request: { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '1.5' },
    mishap: { path: '/v2/orders', fault: { kind: 'settleLater', afterMs: SETTLES_AFTER_MS, outcome: 'fill' } },
  },
  {
    title: 'first quote expired',
    request: { baseAsset: 'AAPLSPV', quoteAsset: 'USD', side: 'BUY', amountAsset: 'USD', amount: '1000' },
    mishap: { path: '/v2/quotes', fault: { kind: 'expireQuote' } },
  },
]
