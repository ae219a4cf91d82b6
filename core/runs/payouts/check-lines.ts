// Checks a payout file by itself: its lines, its sums by asset and payee without fees, and how many rows of one asset
// it has. It asks neither the service nor the journal. The command, the console and the function that reads files from
// S3 refuse the same files by it. Pure.

import { addTo, type Decimal, formatDecimal, parseDecimal } from '../../money/decimal.ts'
import { MOST_KNOWN_ROWS } from '../../movements/withdrawal/known-rows.ts'
import type { FiledRow, PayoutFile } from './payout-file.ts'

export interface PayoutFinding {
  /** Absent: it is about the whole file. */
  readonly line?: number
  readonly id?: string
  readonly says: string
}

export interface CheckedPayouts {
  readonly policy: string
  readonly rows: number
  readonly totals: PayoutTotals
  /** Any of these stops the file. */
  readonly findings: readonly PayoutFinding[]
  /** Facts for people: rows that look alike, that are paid already, or that are under way. */
  readonly notes: readonly PayoutFinding[]
  /** Rows that a run would pay now, and their totals. */
  readonly toPay: number
  readonly totalsToPay: PayoutTotals
  /** Each contact in words, by its id: as the plan found it, or as the file calls it. */
  readonly payees: Readonly<Record<string, string>>
}

/**
 * The check of the file alone. An attempt of a withdrawal records the other withdrawals of its asset in two days, and has room
 * for so many.
 */
export function checkLines(policy: string, { rows, findings, alike }: PayoutFile): CheckedPayouts {
  const totals = totalsOf(rows)
  const crowded = totals.byAsset
    .filter((total) => total.rows > MOST_KNOWN_ROWS)
    .map(({ asset, rows: count }) => ({
      says: `expected at most ${MOST_KNOWN_ROWS} rows of one asset; got ${count} of ${asset}: pay the others two days later`,
    }))
  return {
    ...{ policy, rows: rows.length, totals, findings: [...findings, ...crowded], notes: alike },
    ...{ toPay: rows.length, totalsToPay: totals, payees: {} },
  }
}

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
