// Makes double-entry transactions of the ledger's lines. Each line changes the account of its asset, and another account by the
// same amount, so that every transaction is exact. Lines of one fill or withdrawal at one moment are one transaction. Pure.
import { type Decimal, formatDecimal, minus, negate, plus, ZERO } from '../../../core/money/decimal.ts'
import type { LedgerLine, LineKind } from '../ledger-line.ts'
import { dayIn } from '../period.ts'
import type { BookAccounts, Payee } from './book-accounts.ts'
import type { BookEntry, Posting } from './book-entry.ts'

const TITLES: Readonly<Record<LineKind, string>> = {
  deposits: 'deposit',
  conversions: 'conversion',
  withdrawals: 'withdrawal',
  fees: 'withdrawal',
  refunds: 'refund of a withdrawal',
  others: 'movement of others',
  adjustments: 'adjustment',
}

export interface EntryRules {
  readonly zone: string
  readonly accounts: BookAccounts
  /** The contact of a withdrawal of ours. */
  readonly payeeOf: (intentId: string) => Payee | undefined
}

/** By time. */
export function makeEntries(lines: readonly LedgerLine[], rules: EntryRules): BookEntry[] {
  const groups = Map.groupBy(lines, (line) => `${line.atMs} ${line.source} ${line.sourceId || line.id}`)
  return [...groups.values()]
    .map((group) => ({ atMs: group[0]?.atMs ?? 0, entry: entryOf(group, rules) }))
    .sort((one, other) => one.atMs - other.atMs)
    .map(({ entry }) => entry)
}

function entryOf(lines: readonly LedgerLine[], { zone, accounts, payeeOf }: EntryRules): BookEntry {
  const [first] = lines
  if (first === undefined) throw new TypeError('a group of lines has a line')
  const { atMs, intentId, kind, movement, source, sourceId } = first
  const payee = intentId !== undefined && source === 'withdrawal' ? payeeOf(intentId) : undefined
  const movementId = movement?.id ?? sourceId
  return {
    ...{ day: dayIn(zone, atMs), at: new Date(atMs).toISOString(), title: TITLES[kind] },
    ...(payee && { payee: payee.alias ?? payee.reference ?? payee.contactId }),
    ...(intentId !== undefined && { intentId }),
    ...(movementId !== '' && { movementId }),
    ...(source === 'fill' && { fillId: sourceId }),
    entryIds: [...new Set(lines.flatMap(({ id }) => (id === null ? [] : [id])))],
    postings: postingsOf(lines, accounts, payee),
  }
}

function postingsOf(lines: readonly LedgerLine[], accounts: BookAccounts, payee: Payee | undefined): Posting[] {
  const sums = new Map<string, { readonly account: string; readonly asset: string; sum: Decimal }>()
  const post = (account: string, asset: string, change: Decimal) => {
    const key = `${account} ${asset}`
    const known = sums.get(key) ?? { account, asset, sum: ZERO }
    known.sum = plus(known.sum, change)
    sums.set(key, known)
  }
  for (const { asset, change, kind, refundedFee = ZERO } of lines) {
    post(accounts.ofAsset(asset), asset, change)
    post(accounts.against(kind, payee), asset, negate(minus(change, refundedFee)))
    post(accounts.against('fees', payee), asset, negate(refundedFee))
  }
  return [...sums.values()]
    .filter(({ sum }) => sum !== ZERO)
    .map(({ account, asset, sum }) => ({ account, asset, amount: formatDecimal(sum) }))
}
