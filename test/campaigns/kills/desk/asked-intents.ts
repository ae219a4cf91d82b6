// Makes the intents that clients request. Each has a unique id and amount, so that the service's ledger alone shows
// whose a movement is. The n-th intent depends only on the seed and n.
import { idMadeOf } from '../../../../operations/movements/intent-id.ts'
import { pickWith, seededRandom } from '../../../simulation/choices.ts'

export interface AskedIntent {
  readonly id: string
  readonly verb: 'convert' | 'withdraw'
  readonly request: Readonly<Record<string, string>>
  readonly intentId: string
  /** Identifies its movement at the service. */
  readonly mark: string
  /** Whether two people request it at once. */
  readonly isTwin: boolean
}

/**
 * Each amount is `least` plus the intent's number, in units of `per`. No two are equal, even when the service rounds.
 */
const AMOUNTS = {
  ETH: { least: 50, per: 1_000 },
  USDC: { least: 20, per: 1 },
  SOL: { least: 200, per: 100 },
  XRP: { least: 200, per: 10 },
} as const
type Asset = keyof typeof AMOUNTS

/** Enough of each asset for every intent that may be requested. */
export const BALANCES: Readonly<Record<Asset, string>> = {
  ETH: '100000',
  USDC: '100000000',
  SOL: '1000000',
  XRP: '10000000',
}

/** A lane for each asset, so that some withdrawals wait for each other. */
const WITHDRAWN = ['USDC', 'USDC', 'SOL', 'XRP'] as const
const SHARE = { withdrawals: 0.75, twins: 0.25 }

export function askedIntent(seed: number, n: number): AskedIntent {
  const random = seededRandom(seed + n)
  const verb = random() < SHARE.withdrawals ? 'withdraw' : 'convert'
  const assetSymbol = verb === 'convert' ? 'ETH' : pickWith(random, WITHDRAWN)
  const { least, per } = AMOUNTS[assetSymbol]
  const amount = String((least + n) / per)
  const id = `${verb}-${n}`
  return {
    id,
    verb,
    request:
      verb === 'withdraw'
        ? { assetSymbol, amount, contactReference: 'subsidiary' }
        : { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount },
    intentId: idMadeOf(verb, id),
    mark: markOf(verb, assetSymbol, amount),
    isTwin: random() < SHARE.twins,
  }
}

/** A movement as the sandbox's oracle shows it. */
export interface BookedMovement {
  readonly kind: 'order' | 'withdrawal'
  readonly id: string
  readonly assetSymbol?: string
  readonly market?: string
  /** Present for a withdrawal. */
  readonly amount?: string
  /** Present for an order. */
  readonly baseAmount?: string
}

export function markOfMovement({ kind, assetSymbol, market, amount, baseAmount }: BookedMovement): string {
  if (kind === 'withdrawal') return markOf('withdraw', assetSymbol ?? '?', amount ?? '?')
  return markOf('convert', market?.split('-')[0] ?? '?', baseAmount ?? '?')
}

function markOf(verb: AskedIntent['verb'], assetSymbol: string, amount: string): string {
  return `${verb} ${amount} ${assetSymbol}`
}
