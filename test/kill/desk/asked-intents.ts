// The intents that clients ask for: each with an id and an amount that no other has, so that the service's ledger alone
// tells whose a movement is. What the n-th is depends on the seed and n only.
import { intentIdOf } from '../../../operations/movements/intent-id.ts'
import { pickWith, seededRandom } from '../../simulation/choices.ts'

export interface AskedIntent {
  readonly id: string
  readonly verb: 'convert' | 'withdraw'
  readonly request: Readonly<Record<string, string>>
  /** As the journal names it. */
  readonly intentId: string
  /** By which its movement is known at the service. */
  readonly mark: string
  /** Whether two people ask for it at once. */
  readonly isTwin: boolean
}

/** The least amount, and what each intent adds to it, in units of `per`: no two are alike, also where a row rounds. */
const AMOUNTS = {
  ETH: { least: 50, per: 1_000 },
  USDC: { least: 20, per: 1 },
  SOL: { least: 200, per: 100 },
  XRP: { least: 200, per: 10 },
} as const
type Asset = keyof typeof AMOUNTS

/** Of each there is enough for every intent that may be asked for. */
export const BALANCES: Readonly<Record<Asset, string>> = {
  ETH: '100000',
  USDC: '100000000',
  SOL: '1000000',
  XRP: '10000000',
}

/** A lane for each asset: some withdrawals wait for each other, and some do not. */
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
    intentId: intentIdOf(verb, id),
    mark: markOf(verb, assetSymbol, amount),
    isTwin: random() < SHARE.twins,
  }
}

/** A movement as the sandbox's oracle tells it. */
export interface BookedMovement {
  readonly kind: 'order' | 'withdrawal'
  readonly id: string
  readonly assetSymbol?: string
  readonly market?: string
  /** Of a withdrawal. */
  readonly amount?: string
  /** Of an order. */
  readonly baseAmount?: string
}

export function markOfMovement({ kind, assetSymbol, market, amount, baseAmount }: BookedMovement): string {
  if (kind === 'withdrawal') return markOf('withdraw', assetSymbol ?? '?', amount ?? '?')
  return markOf('convert', market?.split('-')[0] ?? '?', baseAmount ?? '?')
}

function markOf(verb: AskedIntent['verb'], assetSymbol: string, amount: string): string {
  return `${verb} ${amount} ${assetSymbol}`
}
