// Sums a payout file by asset, and by asset and payee. Amounts are those of the rows, without fees. Pure.
import { addTo, type Decimal, formatDecimal, parseDecimal } from '../../money/decimal.ts'
import type { FiledRow } from './payout-file.ts'

export interface PayoutTotal {
  readonly asset: string
  /** Absent: of all payees. */
  readonly contactId?: string
  readonly rows: number
  readonly amount: string
}

export interface PayoutTotals {
  readonly byAsset: readonly PayoutTotal[]
  readonly byPayee: readonly PayoutTotal[]
}

/** Assets and payees in the order of their first rows. */
export function totalsOf(rows: readonly FiledRow[]): PayoutTotals {
  return {
    byAsset: sumBy(rows, ({ asset }) => ({ asset })),
    byPayee: sumBy(rows, ({ asset, contactId }) => ({ asset, contactId })),
  }
}

type Group = Pick<PayoutTotal, 'asset' | 'contactId'>

function sumBy(rows: readonly FiledRow[], groupOf: (row: FiledRow) => Group): PayoutTotal[] {
  const groups = new Map<string, { readonly group: Group; rows: number }>()
  const sums = new Map<string, Decimal>()
  for (const row of rows) {
    const group = groupOf(row)
    const key = JSON.stringify([group.asset.toLowerCase(), group.contactId])
    const known = groups.get(key) ?? { group, rows: 0 }
    known.rows += 1
    groups.set(key, known)
    addTo(sums, key, parseDecimal(row.amount, 'amount'))
  }
  return [...groups].map(([key, { group, rows: count }]) => ({
    ...{ ...group, rows: count },
    amount: formatDecimal(sums.get(key) ?? parseDecimal('0', 'sum')),
  }))
}
