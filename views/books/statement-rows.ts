// Lays a statement out as rows, for terminals, CSV and pages. Each asset has its opening balance, what came in and went out by
// kind, corporate actions, and its closing balance with the proof. Pure.

import { counted } from '../../core/printable.ts'
import type { LineKind } from '../../operations/books/ledger-line.ts'
import type {
  AccountStatement,
  AssetStatement,
  BalanceProof,
} from '../../operations/books/statement/account-statement.ts'
import type { Column } from '../../operations/words/column.ts'

export interface StatementRow {
  readonly asset: string
  readonly line: string
  readonly in: string
  readonly out: string
  readonly count: string
  readonly balance: string
  readonly note: string
}

export const STATEMENT_COLUMNS: readonly Column<StatementRow>[] = [
  { title: 'asset', text: ({ asset }) => asset },
  { title: 'line', text: ({ line }) => line },
  { title: 'in', text: (row) => row.in, isAmount: true, cut: 'nowhere' },
  { title: 'out', text: ({ out }) => out, isAmount: true, cut: 'nowhere' },
  { title: 'count', text: ({ count }) => count, isAmount: true, cut: 'nowhere', isDetail: true },
  { title: 'balance', text: ({ balance }) => balance, isAmount: true, cut: 'nowhere' },
  { title: 'note', text: ({ note }) => note, isDetail: true },
]

const KIND_TEXTS: Readonly<Record<LineKind, string>> = {
  deposits: 'deposits',
  conversions: 'conversions',
  withdrawals: 'withdrawals',
  fees: 'fees',
  refunds: 'refunds',
  others: 'movements of others',
  adjustments: 'adjustments',
}

const EMPTY = { in: '', out: '', count: '', balance: '', note: '' }

/** In a file that has only rows, an entry that does not fit is a row too, so that no file looks proven without it. */
export function statementFileRows({ assets, faults, faultsTotal }: AccountStatement): StatementRow[] {
  const row = (note: string): StatementRow => ({ ...EMPTY, asset: '', line: 'NOT PROVEN', note })
  const more = faultsTotal - faults.length
  return [
    ...assets.flatMap(statementRows),
    ...faults.map(row),
    ...(more > 0 ? [row(`and ${more} more; a shorter period shows its own`)] : []),
  ]
}

export function statementRows({ asset, ...statement }: AssetStatement): StatementRow[] {
  const { actions, closing, lines, opening, proof, rebased } = statement
  const row = (line: string, cells: Partial<StatementRow>): StatementRow => ({ ...EMPTY, ...cells, asset, line })
  const shares = (quantity: string | undefined, multiplier: string | undefined) =>
    rebased === undefined ? '' : `${quantity} ${rebased.asset} at a multiplier of ${multiplier}`
  return [
    row('opening balance', { balance: opening, note: shares(rebased?.opening, rebased?.openingMultiplier) }),
    ...lines.map((line) => {
      const [cameIn, wentOut] = [line.in, line.out].map((sum) => (sum === '0' ? '' : sum))
      return row(KIND_TEXTS[line.kind], { in: cameIn ?? '', out: wentOut ?? '', count: String(line.count) })
    }),
    ...actions.map(({ after, before, oldMultiplier, newMultiplier, settled, oldRebased, newRebased }) =>
      row('corporate action', {
        balance: settled,
        note: `the multiplier changed from ${oldMultiplier} to ${newMultiplier} between ${after} and ${before}: ${oldRebased} became ${newRebased} ${rebased?.asset ?? ''}`.trim(),
      }),
    ),
    row('closing balance', { balance: closing, note: shares(rebased?.closing, rebased?.closingMultiplier) }),
    row(proof.isProven ? 'proven' : 'NOT PROVEN', { note: proofText(proof) }),
  ]
}

/** One sentence. */
export function proofText({ isProven, why, entries, ...proof }: BalanceProof): string {
  if (!isProven) return why ?? ''
  const { closingBalance, closingDay, openingBalance, openingDay } = proof
  const from = openingDay === undefined ? 'nothing' : `${openingBalance} at the end of ${openingDay}`
  const to = closingDay === undefined ? 'nothing' : `${closingBalance} at the end of ${closingDay}`
  return `from ${from} to ${to} (UTC), by ${counted(entries, 'ledger entry', 'ledger entries')}`
}
