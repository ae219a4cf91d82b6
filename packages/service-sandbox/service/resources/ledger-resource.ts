// A ledger entry as a reader sees it: settled, positive, with the direction in its type and the
// movement that it came from as its source. The other fields, and in how many entries one is told, are this sandbox's choice.
import { formatAmount } from '../amount.ts'
import type { Entry } from '../ledger.ts'
import { showTime } from '../representation.ts'
import type { World } from '../world.ts'

/** An entry as it is told: a part, or a leg, of one that the ledger has whole. */
export interface ToldEntry extends Entry {
  /** Behind its id. */
  readonly part?: string
}

/** Only those of withdrawals have a fee, and are told apart. */
export function entriesOf({ manners, withdrawals }: World, entry: Entry): readonly ToldEntry[] {
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

export function showEntry(entry: ToldEntry): Record<string, unknown> {
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
