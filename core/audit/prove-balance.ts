// Judges whether the entries of the ledger explain the change between two balances of the service's own history. It is exact
// to the last digit. Pure.
import { type Decimal, formatDecimal, minus, plus } from '../money/decimal.ts'

/** Settled units of one asset. */
interface BalanceClaim {
  /** Balance in the service's history before the first entry. */
  readonly opening: Decimal
  /** Sum of the ledger's entries between the two balances. */
  readonly change: Decimal
  /** Balance in the service's history after the last entry. */
  readonly closing: Decimal
}

/** One sentence where the entries do not lead from one balance to the other. */
export function findUnexplained({ opening, change, closing }: BalanceClaim): string | undefined {
  const reached = plus(opening, change)
  if (reached === closing) return undefined
  const [from, to, by] = [opening, closing, minus(closing, reached)].map(formatDecimal)
  return `the balance history goes from ${from} to ${to}, and the ledger's entries add up to ${formatDecimal(change)}: ${by} is not explained`
}
