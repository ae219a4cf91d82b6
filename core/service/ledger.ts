// GET /v2/ledger (section "Deposits and ledger records"): always settled, and assetFormat is an
// error here. Of an entry only its source and a settled amount, with the direction in its type,
// are spoken of; fields are taken where they have the expected shape, and are null otherwise.
import * as z from 'zod/mini'
import { amount, ifPresent, page, text } from './fields.ts'
import { type WalkBounds, walkPages } from './pages.ts'
import type { Reader } from './reader.ts'
import { idParameter, withQuery } from './request-path.ts'

const ledgerEntry = z.object({
  id: ifPresent(text),
  /** Says the direction: amounts are positive. Open. */
  type: ifPresent(text),
  assetSymbol: ifPresent(text),
  amount: ifPresent(amount),
  /** The movement that it is of: `id` is that of a fill or a withdrawal. */
  source: ifPresent(z.object({ type: text, id: text })),
  orderId: ifPresent(text),
  createdAt: ifPresent(text),
})
export type LedgerEntry = z.output<typeof ledgerEntry>
const ledgerPage = page(ledgerEntry)

export interface LedgerFilter {
  /** Either spelling of an equity. */
  readonly assetSymbol?: string
  readonly orderId?: string
  /** Id of a fill, withdrawal or deposit. */
  readonly sourceId?: string
}

/** Entries that match, in the service's order. */
export function walkLedger(
  reader: Reader,
  filter: LedgerFilter,
  bounds: WalkBounds,
): AsyncGenerator<LedgerEntry, void> {
  const endpoint = 'GET /v2/ledger'
  const keyOf = (entry: LedgerEntry) => entry.id ?? undefined
  return walkPages(endpoint, bounds, keyOf, (number, limit) =>
    reader.read({
      endpoint,
      target: withQuery('/v2/ledger', [
        ['page', number],
        ['limit', limit],
        ['assetSymbol', filter.assetSymbol],
        idParameter('orderId', filter.orderId),
        idParameter('sourceId', filter.sourceId),
      ]),
      shape: ledgerPage,
    }),
  )
}
