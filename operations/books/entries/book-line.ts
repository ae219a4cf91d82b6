// Defines what the books keep of a line of the ledger, and its form on disk. Pure.
import { formatDecimal, parseSignedDecimal } from '../../../core/money/decimal.ts'
import type { RowForm } from '../../files/rows-by-time.ts'
import type { LedgerLine } from '../ledger-line.ts'
import type { Payee } from './book-accounts.ts'

export interface BookLine
  extends Pick<LedgerLine, 'atMs' | 'id' | 'kind' | 'asset' | 'change' | 'source' | 'sourceId' | 'refundedFee'> {
  readonly intentId?: string | undefined
  /** The service's id of the order or withdrawal. */
  readonly movementId?: string | undefined
  /** The contact of a withdrawal of ours, where it is known. */
  readonly payee?: Payee | undefined
}

export function bookLineOf(line: LedgerLine, payee: Payee | undefined): BookLine {
  const { atMs, id, kind, asset, change, source, sourceId, refundedFee, intentId, movement } = line
  return {
    ...{ atMs, id, kind, asset, change, source, sourceId, intentId, payee, movementId: movement?.id },
    ...(refundedFee !== undefined && { refundedFee }),
  }
}

/** A decimal is a text on disk, as JSON has no bigint. */
export const BOOK_LINE_FORM: RowForm<BookLine> = {
  timeOf: ({ atMs }) => atMs,
  write: ({ change, refundedFee, ...line }) =>
    JSON.stringify({
      ...line,
      change: formatDecimal(change),
      ...(refundedFee !== undefined && { refundedFee: formatDecimal(refundedFee) }),
    }),
  read(text) {
    const { change, refundedFee, ...line } = JSON.parse(text)
    return {
      ...line,
      change: parseSignedDecimal(change, 'change'),
      ...(refundedFee !== undefined && { refundedFee: parseSignedDecimal(refundedFee, 'refundedFee') }),
    }
  },
}
