// Has the example of each query for its help, and the commands that often follow it.
import type { QueryName } from '../../operations/service/queries.ts'

interface Hints {
  readonly example: string
  /** The commands that often follow. */
  readonly next: readonly string[]
}

export const HINTS: Readonly<Record<QueryName, Hints>> = {
  price: {
    example: 'service markets BTC-USDC --price BUY --amount 1000 --amount-asset USDC',
    next: ['run convert --help'],
  },
  fills: {
    example: 'service orders --fills --asset-symbol BTC --start-date 2026-01-31',
    next: ['service orders ID', 'service ledger --source-id ID'],
  },
  history: {
    example: 'service balances --history USDC --granularity month',
    next: ['service balances', 'service ledger --asset-symbol ASSET'],
  },
  balances: { example: 'service balances --rebased', next: ['service balances --history USDC', 'service ledger'] },
  assets: { example: 'service assets USDC', next: ['service markets', 'service contacts'] },
  markets: { example: 'service markets BTC-USDC', next: ['service markets BTC-USDC --price BUY'] },
  orders: {
    example: 'service orders --status FILLED --market BTC-USDC',
    next: ['service orders ID --fills', 'service ledger --order-id ID'],
  },
  withdrawals: {
    example: 'service withdrawals --asset-symbol USDC --status PENDING',
    next: ['service contacts', 'service ledger --source-id ID'],
  },
  deposits: { example: 'service deposits --asset-symbol USDC', next: ['service balances', 'service ledger'] },
  contacts: {
    example: 'service contacts --type EXTERNAL_CRYPTO',
    next: ['service contacts rename ID --alias TEXT', 'setup doctor --contact ID=ASSET'],
  },
  ledger: { example: 'service ledger --asset-symbol BTC', next: ['service orders --fills', 'service withdrawals'] },
}
