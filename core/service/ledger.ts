// Reads the ledger: GET /v2/ledger (section "Deposits and ledger records"). It is always settled, and the endpoint
// refuses assetFormat. The description names only an entry's source and its settled amount, with the direction in the
// type. Every field is null unless it has the expected shape.
import * as z from 'zod/mini'
import { UNREADABLE } from '../contract/amount.ts'
import { Defect } from '../errors.ts'
import { ifPresent, listedAmount, page, text } from './fields.ts'
import { type Page, type WalkBounds, walkPages } from './pages.ts'
import type { Reader } from './reader.ts'
import { idParameter, withQuery } from './request-path.ts'

const shownEntry = z.object({
  id: ifPresent(text),
  /** Names the direction, because amounts are positive. An open set. */
  type: ifPresent(text),
  assetSymbol: ifPresent(text),
  amount: ifPresent(listedAmount),
  /** The movement behind the entry: `id` belongs to a fill, a withdrawal or a deposit. */
  source: ifPresent(z.object({ type: text, id: text })),
  orderId: ifPresent(text),
  createdAt: ifPresent(text),
})
/** `amountShown`: what stands in the place of an amount that cannot be read, for people. */
const ledgerEntry = z.pipe(
  shownEntry,
  z.transform(({ amount, ...entry }) => {
    if (amount?.startsWith(UNREADABLE) !== true) return { ...entry, amount }
    return { ...entry, amount: null, amountShown: amount.slice(UNREADABLE.length) }
  }),
)
export type LedgerEntry = z.output<typeof shownEntry> & { readonly amountShown?: string }
const ledgerPage = page(ledgerEntry)

export interface LedgerFilter {
  /** Either spelling of an equity. */
  readonly assetSymbol?: string
  readonly orderId?: string
  /** Id of a fill, withdrawal or deposit. */
  readonly sourceId?: string
}

/** In the service's order. */
export function walkLedger(
  reader: Reader,
  filter: LedgerFilter,
  bounds: WalkBounds,
): AsyncGenerator<LedgerEntry, void> {
  const keyOf = (entry: LedgerEntry) => entry.id ?? undefined
  return walkPages(ENDPOINT, bounds, keyOf, readPageOf(reader, filter))
}

/** One page of the whole ledger, counted from 1, in the service's order. @throws Defect where another page came */
export async function readLedgerPage(reader: Reader, page: number, limit: number): Promise<Page<LedgerEntry>> {
  const answer = await readPageOf(reader, {})(page, limit)
  if (answer.pagination.page !== page) throw new Defect(`${ENDPOINT}: page ${page} was asked for and another one came`)
  return answer
}

const ENDPOINT = 'GET /v2/ledger'

function readPageOf(reader: Reader, filter: LedgerFilter) {
  return (page: number, limit: number) =>
    reader.read({
      endpoint: ENDPOINT,
      target: withQuery('/v2/ledger', [
        ['page', page],
        ['limit', limit],
        ['assetSymbol', filter.assetSymbol],
        idParameter('orderId', filter.orderId),
        idParameter('sourceId', filter.sourceId),
      ]),
      shape: ledgerPage,
    })
}
