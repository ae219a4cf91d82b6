// A ledger entry as a reader sees it: settled, positive, with the direction in its type and the
// movement that it came from as its source. The other fields are this sandbox's choice.
import { formatAmount } from '../amount.ts'
import type { Entry } from '../ledger.ts'
import { showTime } from '../representation.ts'

export function showEntry(entry: Entry): Record<string, unknown> {
  return {
    id: `entry-${entry.sequence}`,
    type: entry.type,
    assetSymbol: entry.asset,
    amount: formatAmount(entry.amount),
    source: entry.source,
    orderId: entry.orderId ?? null,
    createdAt: showTime(entry.atMs),
  }
}
