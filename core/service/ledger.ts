// Reads the ledger: GET /v2/ledger, and deposits: GET /v2/deposits (section "Deposits and ledger records"). The ledger
// is always settled, and refuses assetFormat. The description names only an entry's source and its settled amount, with
// the direction in the type; and a deposit's multiplier, assetFormat and settled block. Every field is null unless it
// has the expected shape.
import * as z from 'zod/mini'
import { UNREADABLE } from '../contract/amount.ts'
import { Defect } from '../errors.ts'
import { ifPresent, isRebased, listedAmount, multiplier, page, text, textOrNull, type View, viewOf } from './fields.ts'
import { type Page, readPagesOf, type WalkBounds, walkPages } from './pages.ts'
import type { Reader } from './reader.ts'
import { idParameter } from './request-path.ts'

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

/** A bad id rejects the read of the first page, as with every list. */
function readPageOf(reader: Reader, filter: LedgerFilter) {
  return async (page: number, limit: number) =>
    readPagesOf(reader, { endpoint: ENDPOINT, path: '/v2/ledger', shape: ledgerPage }, [
      ['assetSymbol', filter.assetSymbol],
      idParameter('orderId', filter.orderId),
      idParameter('sourceId', filter.sourceId),
    ])(page, limit)
}

const deposit = z.object({
  id: ifPresent(text),
  status: ifPresent(text),
  createdAt: ifPresent(text),
  /** The factor at the time of the deposit. */
  multiplier,
  base: z.object({ asset: textOrNull, amount: ifPresent(listedAmount) }),
})
const rebasedDeposit = z.extend(deposit, {
  assetSymbol: ifPresent(text),
  amount: ifPresent(listedAmount),
  assetFormat: isRebased,
})

/** Settled. */
export type Deposit = Omit<z.output<typeof deposit>, 'base'> & {
  /** Settled code; null when the service cannot resolve it. */
  readonly assetSymbol: string | null
  /** A text marked as unreadable hides nothing beside it. */
  readonly amount: string | null
}

export type RebasedDeposit = Deposit & {
  readonly rebased: { readonly assetSymbol: string | null; readonly amount: string | null }
}

export const settledDeposits = viewOf('base', deposit, ({ base, ...facts }): Deposit => {
  return { ...facts, assetSymbol: base.asset, amount: base.amount }
})
export const rebasedDeposits = viewOf('rebased', rebasedDeposit, (raw): RebasedDeposit => {
  const { assetSymbol, amount, assetFormat: _asked, ...facts } = raw
  return { ...settledDeposits.show(facts), rebased: { assetSymbol, amount } }
})

export interface DepositFilter {
  /** Either spelling of an equity. */
  readonly assetSymbol?: string
}

/** In the service's order. */
export async function* walkDeposits<Raw extends { id: string | null }, Shown>(
  reader: Reader,
  { assetSymbol }: DepositFilter,
  bounds: WalkBounds,
  view: View<Raw, Shown>,
): AsyncGenerator<Shown, void> {
  const endpoint = 'GET /v2/deposits'
  const list = { endpoint, path: '/v2/deposits', shape: view.pageShape }
  const readPage = readPagesOf(reader, list, [
    ['assetSymbol', assetSymbol],
    ['assetFormat', view.assetFormat],
  ])
  for await (const row of walkPages(endpoint, bounds, ({ id }: Raw) => id ?? undefined, readPage)) yield view.show(row)
}
