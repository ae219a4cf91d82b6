// Reads deposits: GET /v2/deposits (section "Deposits and ledger records"). The description promises only the
// multiplier, its assetFormat and the settled block with its asset. Every other field is null unless it has the
// expected shape.
import * as z from 'zod/mini'
import {
  ifPresent,
  isRebased,
  listedAmount,
  multiplier,
  rebasedView,
  settledView,
  text,
  textOrNull,
  type View,
} from './fields.ts'
import { type WalkBounds, walkPages } from './pages.ts'
import type { Reader } from './reader.ts'
import { withQuery } from './request-path.ts'

const deposit = z.object({
  id: ifPresent(text),
  status: ifPresent(text),
  createdAt: ifPresent(text),
  /** The factor at the time of the deposit. */
  multiplier,
  base: z.object({ asset: textOrNull, amount: ifPresent(listedAmount) }),
})
const rebasedDeposit = z.extend(deposit, {
  assetSymbol: ifPresent(text),
  amount: ifPresent(listedAmount),
  assetFormat: isRebased,
})

/** Settled. */
export type Deposit = Omit<z.output<typeof deposit>, 'base'> & {
  /** Settled code; null when the service cannot resolve it. */
  readonly assetSymbol: string | null
  /** A text marked as unreadable hides nothing beside it. */
  readonly amount: string | null
}

export type RebasedDeposit = Deposit & {
  readonly rebased: { readonly assetSymbol: string | null; readonly amount: string | null }
}

export const settledDeposits = settledView(deposit, ({ base, ...facts }): Deposit => {
  return { ...facts, assetSymbol: base.asset, amount: base.amount }
})
export const rebasedDeposits = rebasedView(rebasedDeposit, (raw): RebasedDeposit => {
  const { assetSymbol, amount, assetFormat: _asked, ...facts } = raw
  return { ...settledDeposits.show(facts), rebased: { assetSymbol, amount } }
})

export interface DepositFilter {
  /** Either spelling of an equity. */
  readonly assetSymbol?: string
}

/** In the service's order. */
export async function* walkDeposits<Raw extends { id: string | null }, Shown>(
  reader: Reader,
  { assetSymbol }: DepositFilter,
  bounds: WalkBounds,
  view: View<Raw, Shown>,
): AsyncGenerator<Shown, void> {
  const endpoint = 'GET /v2/deposits'
  const keyOf = (row: Raw) => row.id ?? undefined
  const rows = walkPages(endpoint, bounds, keyOf, (page, limit) =>
    reader.read({
      endpoint,
      target: withQuery('/v2/deposits', [
        ['page', page],
        ['limit', limit],
        ['assetSymbol', assetSymbol],
        ['assetFormat', view.assetFormat],
      ]),
      shape: view.pageShape,
    }),
  )
  for await (const row of rows) yield view.show(row)
}
