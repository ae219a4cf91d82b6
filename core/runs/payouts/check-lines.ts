// Checks a payout file by itself: its lines, and how many rows of one asset it has. It asks neither the service nor the
// journal. The command, the console and the function that reads files from S3 refuse the same files by it. Pure.
import { MOST_KNOWN_ROWS } from '../../movements/withdrawal/known-rows.ts'
import type { PayoutFile } from './payout-file.ts'
import { type PayoutTotals, totalsOf } from './payout-totals.ts'

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
