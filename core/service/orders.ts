// Reads and prepares orders: GET /v2/orders, GET /v2/orders/{id} and the signed POST /v2/orders (sections
// "OrderResource", "PlaceOrderDto and PlacedOrderResource"). Figures come from the settled block. Placing an order
// moves money: it is prepared here, and signed-send.ts sends it once. Requests quotes: POST /v2/quotes
// ("CreateQuoteDto", "QuoteResource"), which move nothing and expire after some seconds.
import * as z from 'zod/mini'
import type { QuotedTerms } from '../contract/convert.ts'
import { Defect, Refused } from '../errors.ts'
import {
  amount,
  checkAmount,
  id,
  instant,
  isRebased,
  multiplier,
  positiveAmount,
  text,
  textOrNull,
  type View,
  viewOf,
} from './fields.ts'
import { collectPages, readPagesOf, type WalkBounds, walkPages } from './pages.ts'
import type { OrderState, PreparedSend, QuoteRequest } from './ports.ts'
import { unlessNotFound } from './problem.ts'
import type { Reader } from './reader.ts'
import { checkId, pathOf, withQuery } from './request-path.ts'
import type { SignedSender } from './signed-send.ts'

const figures = {
  baseAmount: amount,
  filledBaseAmount: amount,
  quoteAmount: amount,
  filledQuoteAmount: amount,
  rate: positiveAmount,
}
const order = z.object({
  id,
  /** NEW, PARTIALLY_FILLED, FILLED or FAILED; an open set. */
  status: text,
  side: text,
  market: text,
  multiplier,
  /** Funded on credit: the order fills while the debt is paid down. */
  onCredit: z.boolean(),
  createdAt: text,
  /**
   * The base asset is null when the service cannot resolve the ticker to a settled code. Which spelling it has is not
   * certain.
   */
  base: z.object({ baseAsset: textOrNull, quoteAsset: textOrNull, ...figures }),
})
const rebasedOrder = z.extend(order, { baseAsset: text, quoteAsset: text, ...figures, assetFormat: isRebased })

/** Settled. */
export interface Order extends OrderState {
  readonly multiplier: string
  readonly onCredit: boolean
  readonly createdAt: string
}

export interface RebasedOrder extends Order {
  readonly rebased: Readonly<Record<'baseAsset' | 'quoteAsset' | keyof typeof figures, string>>
}

export const settledOrders = viewOf('base', order, ({ base, ...facts }): Order => ({ ...facts, ...base }))
export const rebasedOrders = viewOf('rebased', rebasedOrder, (raw): RebasedOrder => {
  const { base, assetFormat: _asked, id, status, side, market, multiplier, onCredit, createdAt, ...rebased } = raw
  return { id, status, side, market, multiplier, onCredit, createdAt, ...base, rebased }
})

/**
 * Reads one order by its id, which is the quote's orderId. Throws Refused with code `not_found` when the order does not
 * exist.
 */
export async function readOrder<Raw extends { id: string }, Shown>(
  reader: Reader,
  orderId: string,
  view: View<Raw, Shown>,
): Promise<Shown> {
  const endpoint = 'GET /v2/orders/{id}'
  const found = await reader.read({
    endpoint,
    target: withQuery(pathOf('/v2/orders', orderId), [['assetFormat', view.assetFormat]]),
    shape: view.shape,
  })
  // An order is proof of a movement, so another order must not pass for it.
  if (found.id !== orderId) throw new Defect(`${endpoint}: the order that came is not the one that was asked for`)
  return view.show(found)
}

/** Finds one order; `undefined` only when the service's own problem document says `not_found`. */
export function findOrder(reader: Reader, orderId: string): Promise<Order | undefined> {
  return unlessNotFound(readOrder(reader, orderId, settledOrders))
}

export interface OrderFilter {
  /** NEW, PARTIALLY_FILLED, FILLED or FAILED. */
  readonly status?: string
  /** Either spelling of an equity, as for `quoteAsset` and `market`. */
  readonly baseAsset?: string
  readonly quoteAsset?: string
  readonly market?: string
  readonly side?: 'BUY' | 'SELL'
  /** ISO-8601. The description does not say whether the ends are inclusive. */
  readonly startDate?: string
  readonly endDate?: string
}

const LIST = 'GET /v2/orders'

/** In the service's order. */
export async function* walkOrders<Raw extends { id: string }, Shown>(
  reader: Reader,
  filter: OrderFilter,
  bounds: WalkBounds,
  view: View<Raw, Shown>,
): AsyncGenerator<Shown, void> {
  const rows = walkPages(LIST, bounds, ({ id }: Raw) => id, readPageOf(reader, filter, view))
  for await (const row of rows) yield view.show(row)
}

function readPageOf<Raw, Shown>(reader: Reader, filter: OrderFilter, view: View<Raw, Shown>) {
  return readPagesOf(reader, { endpoint: LIST, path: '/v2/orders', shape: view.pageShape }, [
    ['status', filter.status],
    ['baseAsset', filter.baseAsset],
    ['quoteAsset', filter.quoteAsset],
    ['market', filter.market],
    ['side', filter.side],
    ['assetFormat', view.assetFormat],
    ['startDate', filter.startDate],
    ['endDate', filter.endDate],
  ])
}

/** All matching orders, at most `limit`. Throws TooMany beyond it, Transient when the list cannot be read whole. */
export async function listOrders(reader: Reader, filter: OrderFilter, limit: number): Promise<readonly Order[]> {
  const idOf = ({ id }: { readonly id: string }) => id
  const rows = await collectPages(LIST, limit, idOf, readPageOf(reader, filter, settledOrders))
  return rows.map(settledOrders.show)
}

/** Success statuses. 202 is a success whose order is still being processed: a second send would place another order. */
const ACCEPTED: ReadonlyMap<number, 'FILLED' | 'PROCESSING'> = new Map([
  [201, 'FILLED'],
  [202, 'PROCESSING'],
])

/** Prepares the signed request that executes the quote `orderId`. */
export async function prepareOrder(
  sender: SignedSender,
  orderId: string,
  tokenLifeSeconds: number,
): Promise<PreparedSend> {
  // An order must be readable by its id before it may be executed.
  checkId(orderId)
  return sender.prepare({
    endpoint: 'POST /v2/orders',
    target: '/v2/orders',
    content: { orderId },
    tokenLifeSeconds,
    // The status is the success. The body proves nothing more, so the sender does not wait for it.
    isDecidedBy: (status) => ACCEPTED.has(status),
    successOf: (answer) => {
      const status = ACCEPTED.get(answer.status)
      return status === undefined ? undefined : { kind: 'accepted', status }
    },
  })
}

const quote = z.object({
  /** Also the id of the future order. */
  orderId: id,
  market: text,
  quotedAt: z.nullable(instant),
  /** Null means unknown. It never means expired. */
  expiresAt: z.nullable(instant),
  multiplier,
  base: z.object({ rate: amount, baseAmount: amount, quoteAmount: amount }),
})

/** Settled. */
export interface Quote extends QuotedTerms {
  readonly quotedAt: string | null
  readonly multiplier: string
}

/** Requests a quote that one order can execute within about five seconds. */
export async function createQuote(reader: Reader, request: QuoteRequest): Promise<Quote> {
  const { baseAsset, quoteAsset, side, amountAsset, amount: size } = request
  checkAmount(size, 'amount')
  const { base, ...quoted } = await reader.write({
    method: 'POST',
    endpoint: 'POST /v2/quotes',
    target: '/v2/quotes',
    content: { baseAsset, quoteAsset, side, amountAsset, amount: size, assetFormat: 'base' },
    shape: quote,
  })
  if (!/[1-9]/.test(base.rate))
    throw new Refused(`POST /v2/quotes: the service quotes a price of 0 for ${quoted.market}, so it has none now`)
  return { ...quoted, rate: base.rate, baseAmount: base.baseAmount, quoteAmount: base.quoteAmount }
}
