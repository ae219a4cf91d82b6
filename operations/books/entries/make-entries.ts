// Makes double-entry transactions of the ledger's lines. Each line changes the account of its asset, and another account by the
// same amount, so that every transaction is exact. Lines of one fill or withdrawal at one moment are one transaction. Pure.
import { type Decimal, formatDecimal, minus, negate, plus, ZERO } from '../../../core/money/decimal.ts'
import type { LineKind } from '../ledger-line.ts'
import { dayIn } from '../period.ts'
import type { BookAccounts } from './book-accounts.ts'
import type { BookEntry, Posting } from './book-entry.ts'
import type { BookLine } from './book-line.ts'

const TITLES: Readonly<Record<LineKind, string>> = {
  deposits: 'deposit',
  conversions: 'conversion',
  withdrawals: 'withdrawal',
  fees: 'withdrawal',
  refunds: 'refund of a withdrawal',
  others: 'movement of others',
  adjustments: 'adjustment',
}

interface EntryRules {
  readonly zone: string
  readonly accounts: BookAccounts
}

/** `lines`: oldest first. Memory has the lines of one moment at a time. */
export function* makeEntries(lines: Iterable<BookLine>, rules: EntryRules): Generator<BookEntry, void> {
  for (const moment of moments(lines)) {
    const groups = Map.groupBy(moment, ({ id, source, sourceId }) => `${source} ${sourceId || id}`)
    for (const group of groups.values()) yield entryOf(group, rules)
  }
}

function* moments(lines: Iterable<BookLine>): Generator<readonly BookLine[], void> {
  let moment: BookLine[] = []
  for (const line of lines) {
    if (moment[0] !== undefined && moment[0].atMs !== line.atMs) {
      yield moment
      moment = []
    }
    moment.push(line)
  }
  if (moment.length > 0) yield moment
}

function entryOf(lines: readonly BookLine[], { zone, accounts }: EntryRules): BookEntry {
  const [first] = lines
  if (first === undefined) throw new TypeError('a group of lines has a line')
  const { atMs, intentId, kind, payee, source, sourceId, movementId = sourceId } = first
  return {
    ...{ day: dayIn(zone, atMs), at: new Date(atMs).toISOString(), title: TITLES[kind] },
    ...(payee && { payee: payee.alias ?? payee.reference ?? payee.contactId }),
    ...(intentId !== undefined && { intentId }),
    ...(movementId !== '' && { movementId }),
    ...(source === 'fill' && { fillId: sourceId }),
    entryIds: [...new Set(lines.flatMap(({ id }) => (id === null ? [] : [id])))],
    postings: postingsOf(lines, accounts),
  }
}

function postingsOf(lines: readonly BookLine[], accounts: BookAccounts): Posting[] {
  const sums = new Map<string, { readonly account: string; readonly asset: string; sum: Decimal }>()
  const post = (account: string, asset: string, change: Decimal) => {
    const key = `${account} ${asset}`
    const known = sums.get(key) ?? { account, asset, sum: ZERO }
    known.sum = plus(known.sum, change)
    sums.set(key, known)
  }
  for (const { asset, change, kind, payee, refundedFee = ZERO } of lines) {
    post(accounts.ofAsset(asset), asset, change)
    post(accounts.against(kind, payee), asset, negate(minus(change, refundedFee)))
    post(accounts.against('fees', payee), asset, negate(refundedFee))
  }
  return [...sums.values()]
    .filter(({ sum }) => sum !== ZERO)
    .map(({ account, asset, sum }) => ({ account, asset, amount: formatDecimal(sum) }))
}
