// Reads balances: GET /v2/balances (section "BalanceResource"), a bare array with one position per asset. Settled
// positions come from the base block.
import * as z from 'zod/mini'
import { heldAmount, multiplier, text, textOrNull } from './fields.ts'
import type { Reader } from './reader.ts'
import { isRebased, rebasedView, settledView, type View } from './representation.ts'
import { withQuery } from './request-path.ts'

const figures = { balance: heldAmount, balanceFrozen: heldAmount, balancePending: heldAmount }
const balance = z.object({
  /** Settled code, because the read asks for settled units. */
  assetSymbol: text,
  /** In the account's preferredCurrency. */
  balancePrefCurrency: heldAmount,
  balanceUSD: heldAmount,
  /** In the units of the request, because the base block has no capacity. */
  balanceCapacityTotal: z.optional(heldAmount),
  balanceCapacityAvailable: z.optional(heldAmount),
  balanceCapacitySpent: z.optional(heldAmount),
  /** Today's factor. */
  multiplier,
  base: z.object({ asset: textOrNull, ...figures }),
})
const rebasedBalance = z.extend(balance, { ...figures, assetFormat: isRebased })

type RawBalance = z.output<typeof balance>

/** Settled. A position may be below zero, or a text marked as unreadable, which no computation accepts. */
export type Balance = Omit<RawBalance, 'base'> & Omit<RawBalance['base'], 'asset'>

type Capacity = 'balanceCapacityTotal' | 'balanceCapacityAvailable' | 'balanceCapacitySpent'

export type RebasedBalance = Omit<Balance, Capacity> & {
  readonly rebased: Pick<Balance, 'assetSymbol' | keyof typeof figures | Capacity>
}

const settledBalances = settledView(balance, ({ base, ...facts }): Balance => {
  const { asset, ...settled } = base
  // The block's own code says which asset the settled figures belong to.
  return { ...facts, ...settled, assetSymbol: asset ?? facts.assetSymbol }
})

const rebasedBalances = rebasedView(rebasedBalance, (raw): RebasedBalance => {
  const { base, assetFormat: _asked, balancePrefCurrency, balanceUSD, multiplier, ...rebased } = raw
  const { asset, ...settled } = base
  const facts = { assetSymbol: asset ?? rebased.assetSymbol, balancePrefCurrency, balanceUSD, multiplier }
  return { ...facts, ...settled, rebased }
})

export const listBalances = (reader: Reader) => readBalances(reader, settledBalances)
export const listRebasedBalances = (reader: Reader) => readBalances(reader, rebasedBalances)

async function readBalances<Raw, Shown>(reader: Reader, view: View<Raw, Shown>): Promise<readonly Shown[]> {
  const balances = await reader.read({
    endpoint: 'GET /v2/balances',
    target: withQuery('/v2/balances', [['assetFormat', view.assetFormat]]),
    shape: z.array(view.shape),
  })
  return balances.map(view.show)
}
