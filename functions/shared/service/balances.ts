// GET /v2/balances (section "BalanceResource"): a bare array, one position per asset. Positions
// come from the settled block.
import * as z from 'zod/mini'
import { multiplier, signedAmount, text, textOrNull } from './fields.ts'
import type { Reader } from './reader.ts'
import { withQuery } from './request-path.ts'

const balance = z.object({
  /** Settled code, as settled units are asked for. */
  assetSymbol: text,
  /** In the account's preferredCurrency. */
  balancePrefCurrency: signedAmount,
  balanceUSD: signedAmount,
  balanceCapacityTotal: z.optional(signedAmount),
  balanceCapacityAvailable: z.optional(signedAmount),
  balanceCapacitySpent: z.optional(signedAmount),
  /** Today's factor. */
  multiplier,
  base: z.object({
    asset: textOrNull,
    balance: signedAmount,
    balanceFrozen: signedAmount,
    balancePending: signedAmount,
  }),
})
const balanceList = z.array(balance)

type RawBalance = z.output<typeof balance>

/** Settled. The ledger may allow a position of less than zero. */
export type Balance = Omit<RawBalance, 'base'> & Omit<RawBalance['base'], 'asset'>

export async function listBalances(reader: Reader): Promise<readonly Balance[]> {
  const balances = await reader.read({
    endpoint: 'GET /v2/balances',
    target: withQuery('/v2/balances', [['assetFormat', 'base']]),
    shape: balanceList,
  })
  return balances.map(({ base, ...facts }) => ({
    ...facts,
    // The block's own code says which asset the settled figures are of.
    assetSymbol: base.asset ?? facts.assetSymbol,
    balance: base.balance,
    balanceFrozen: base.balanceFrozen,
    balancePending: base.balancePending,
  }))
}
