// From the sandbox's double-entry ledger to what each order moved: the net change of the
// customer's accounts, asset by asset. What the orders themselves claim is not used. Pure.
import * as z from 'zod/mini'
import { type Decimal, formatDecimal, parseDecimal } from '../../functions/shared/money/decimal.ts'
import type { BookedMovement } from '../tie-out.ts'

/** The part of the sandbox's oracle that is read here. */
export const oracle = z.object({
  movements: z.array(z.object({ orderId: z.string(), nonce: z.string(), market: z.string(), side: z.string() })),
  ledger: z.array(
    z.object({
      orderId: z.optional(z.string()),
      asset: z.string(),
      from: z.string(),
      to: z.string(),
      amount: z.string(),
    }),
  ),
  invariants: z.object({ ok: z.boolean(), violations: z.array(z.unknown()) }),
})
export type Oracle = z.infer<typeof oracle>

/** What is the customer's: held for use, held back, or promised. */
const CUSTOMER_ACCOUNTS: ReadonlySet<string> = new Set(['available', 'frozen', 'pending'])

/** One movement an order, also for an order that the ledger knows and nobody asked for. */
export function bookedMovements({ movements, ledger }: Pick<Oracle, 'movements' | 'ledger'>): BookedMovement[] {
  const known = new Set(movements.map(({ orderId }) => orderId))
  const unasked = [...new Set(ledger.flatMap(({ orderId }) => orderId ?? []))].filter((orderId) => !known.has(orderId))
  return [
    ...movements.map((movement) => {
      const [base = '', quote = ''] = movement.market.split('-')
      const bought = netOf(movement.orderId, base, ledger)
      const paid = -netOf(movement.orderId, quote, ledger)
      const sign = movement.side === 'BUY' ? 1n : -1n
      // An order booked the wrong way round shows as a negative amount, which no result has.
      return { ...movement, baseAmount: text(bought * sign), quoteAmount: text(paid * sign) }
    }),
    ...unasked.map((orderId) => ({ orderId, nonce: '', market: '', side: '', baseAmount: '', quoteAmount: '' })),
  ]
}

function netOf(orderId: string, asset: string, ledger: Oracle['ledger']): bigint {
  return ledger
    .filter((entry) => entry.orderId === orderId && entry.asset === asset)
    .reduce((net, { from, to, amount }) => {
      const value = parseDecimal(amount, 'ledger.amount')
      return net + (CUSTOMER_ACCOUNTS.has(to) ? value : 0n) - (CUSTOMER_ACCOUNTS.has(from) ? value : 0n)
    }, 0n)
}

function text(value: bigint): string {
  return formatDecimal(value as Decimal)
}
