// Reads how the ledger booked a withdrawal, and an older withdrawal to compare it with. The steps and the table of movements
// judge a failed withdrawal by them. Reads only.
import { ledgerSourceOf, OF_WITHDRAWALS } from '../contract/ledger-types.ts'
import { parseDecimal, ZERO } from '../money/decimal.ts'
import type { WithdrawalState } from './ports.ts'
import type { ServiceClient } from './service-client.ts'

/** Maximum number of ledger entries of one withdrawal: a debit with its legs, and entries that undo or complete it. */
const MOST_ENTRIES = 50
/** Maximum days of a history: more than a hundred years. */
const MOST_DAYS = 40_000
const COMPLETED = 'COMPLETED'
/**
 * Maximum number of completed rows that are compared, one page. Without a similar row among them there is no
 * comparison.
 */
const MOST_COMPLETED = 100

export function bookingReads(
  client: Pick<ServiceClient, 'balances' | 'walkBalanceHistory' | 'walkLedger' | 'walkWithdrawals'>,
) {
  return {
    async ledgerOf({ id }: Pick<WithdrawalState, 'id'>) {
      const entries: { readonly type: string; readonly amount: string | null }[] = []
      for await (const { type, amount, source } of client.walkLedger({ sourceId: id }, { maxItems: MOST_ENTRIES })) {
        // The service may ignore the filter. An entry without a source may belong to another movement, so it proves
        // nothing.
        if (source === null) entries.push({ type: `${type ?? ''} `, amount: null })
        // A fill may have the same id.
        else if (source.id === id && OF_WITHDRAWALS.has(ledgerSourceOf(source.type)))
          entries.push({ type: `${type ?? ''} ${source.type}`, amount })
      }
      return entries
    },
    walkLedger: () => client.walkLedger(),
    balances: () => client.balances(),
    async balanceBefore(assetSymbol: string, beforeMs: number) {
      const endDate = new Date(beforeMs).toISOString()
      const until = endDate.slice(0, 'YYYY-MM-DD'.length)
      let last: { readonly date: string; readonly balance: string } | undefined
      for await (const day of client.walkBalanceHistory(assetSymbol, { endDate }, { maxItems: MOST_DAYS }))
        if (day.date < until && day.date > (last?.date ?? '')) last = day
      return last?.balance ?? '0'
    },
    async findCompletedLike({ id, subType, fee, createdAt }: WithdrawalState, assetSymbol: string) {
      const hasFee = parseDecimal(fee, 'fee') > ZERO
      let compared = 0
      for await (const row of client.walkWithdrawals({ assetSymbol, subType, status: COMPLETED })) {
        const isLike = row.id !== id && row.status === COMPLETED && row.subType === subType
        const isOlder = Date.parse(row.createdAt) < Date.parse(createdAt)
        if (isLike && isOlder && parseDecimal(row.fee, 'fee') > ZERO === hasFee) return row
        compared += 1
        if (compared === MOST_COMPLETED) break
      }
      return undefined
    },
  }
}
