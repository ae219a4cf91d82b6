// Shows a ledger entry: settled and positive, with the direction in its type and its movement as its source. The other
// fields, and the number of entries, are this sandbox's choice.
import { formatAmount } from '../amount.ts'
import type { Entry } from '../ledger.ts'
import { showTime } from '../representation.ts'
import type { World } from '../world.ts'

/** An entry as readers see it: the whole entry of the ledger, or a part or leg of it. */
export interface ShownEntry extends Entry {
  /** Suffix of the id. */
  readonly part?: string
}

/** Splits an entry as the manners ask. Only withdrawals have a fee, so only their entries are split. */
export function entriesOf({ manners, withdrawals }: World, entry: Entry): readonly ShownEntry[] {
  const withdrawal = withdrawals.find(entry.source.id)
  if (entry.source.type !== 'withdrawal' || withdrawal === undefined || manners.entries === 'whole') return [entry]
  if (manners.entries === 'legs') {
    return ['DEBIT', 'CREDIT'].map((leg) => ({ ...entry, type: leg, part: leg.toLowerCase() }))
  }
  const feeType = entry.type === 'WITHDRAWAL' ? 'WITHDRAWAL_FEE' : 'WITHDRAWAL_FEE_REFUND'
  const parts = [
    { ...entry, amount: withdrawal.amount, part: 'amount' },
    { ...entry, type: feeType, amount: withdrawal.fee, part: 'fee' },
  ]
  return parts.filter(({ amount }) => !amount.isZero())
}

export function showEntry(entry: ShownEntry): Record<string, unknown> {
  return {
    id: `entry-${entry.sequence}${entry.part === undefined ? '' : `-${entry.part}`}`,
    type: entry.type,
    assetSymbol: entry.asset,
    amount: formatAmount(entry.amount),
    source: entry.source,
    orderId: entry.orderId ?? null,
    createdAt: showTime(entry.atMs),
  }
}
