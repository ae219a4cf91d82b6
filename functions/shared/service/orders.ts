// GET /v2/orders, GET /v2/orders/{id} and the signed POST /v2/orders (sections "OrderResource",
// "PlaceOrderDto and PlacedOrderResource"). Figures come from the settled block. Placing moves
// money: it is prepared here and sent once by signed-send.ts.
import * as z from 'zod/mini'
import { Defect } from '../errors.ts'
import { amount, id, multiplier, page, positiveAmount, text, textOrNull } from './fields.ts'
import { PAGE_LIMIT, walkPages } from './pages.ts'
import type { OrderState, PreparedSend } from './ports.ts'
import { problemOf } from './problem.ts'
import type { Reader } from './reader.ts'
import { checkId, pathOf, withQuery } from './request-path.ts'
import type { SignedSender } from './signed-send.ts'

const order = z.object({
  id,
  /** NEW, PARTIALLY_FILLED, FILLED, FAILED; open. */
  status: text,
  side: text,
  market: text,
  multiplier,
  /** Funded on credit: fills as the debt is paid down. */
  onCredit: z.boolean(),
  createdAt: text,
  base: z.object({
    /** Null when the ticker resolves to no settled code; whose spelling it has is not certain. */
    baseAsset: textOrNull,
    quoteAsset: textOrNull,
    baseAmount: amount,
    filledBaseAmount: amount,
    quoteAmount: amount,
    filledQuoteAmount: amount,
    rate: positiveAmount,
  }),
})
const orderPage = page(order)

/** Settled. */
export interface Order extends OrderState {
  readonly baseAsset: string | null
  readonly quoteAsset: string | null
  readonly multiplier: string
  readonly onCredit: boolean
  readonly createdAt: string
}

function settledOrder({ base, ...facts }: z.output<typeof order>): Order {
  return { ...facts, ...base }
}

/** One order by its id (the quote's orderId). Throws Refused with code `not_found` when there is none. */
export async function readOrder(reader: Reader, orderId: string): Promise<Order> {
  const endpoint = 'GET /v2/orders/{id}'
  const found = await reader.read({
    endpoint,
    target: withQuery(pathOf('/v2/orders', orderId), [['assetFormat', 'base']]),
    shape: order,
  })
  // An order is proof of a movement: it must not be another one's.
  if (found.id !== orderId) throw new Defect(`${endpoint}: the order that came is not the one that was asked for`)
  return settledOrder(found)
}

/** `undefined` only when the service's own problem document says `not_found`. */
export async function findOrder(reader: Reader, orderId: string): Promise<Order | undefined> {
  try {
    return await readOrder(reader, orderId)
  } catch (error) {
    const problem = problemOf(error)
    // Absence counts towards a certified zero, so both of its marks are asked for.
    if (problem?.isDocument && problem.code === 'not_found' && problem.status === 404) return undefined
    throw error
  }
}

export interface OrderFilter {
  readonly status?: string
  readonly baseAsset?: string
  readonly quoteAsset?: string
  readonly market?: string
  readonly side?: 'BUY' | 'SELL'
  /** ISO-8601. */
  readonly startDate?: string
  readonly endDate?: string
}

/** All orders that match, at most `limit` (Defect beyond it). */
export async function listOrders(reader: Reader, filter: OrderFilter, limit: number): Promise<readonly Order[]> {
  const endpoint = 'GET /v2/orders'
  const orders = await walkPages(endpoint, limit, (number) =>
    reader.read({
      endpoint,
      target: withQuery('/v2/orders', [
        ['page', number],
        ['limit', PAGE_LIMIT],
        ['status', filter.status],
        ['baseAsset', filter.baseAsset],
        ['quoteAsset', filter.quoteAsset],
        ['market', filter.market],
        ['side', filter.side],
        ['assetFormat', 'base'],
        ['startDate', filter.startDate],
        ['endDate', filter.endDate],
      ]),
      shape: orderPage,
    }),
  )
  return orders.map(settledOrder)
}

/** 202 is a yes that still reconciles: sent again, it would place another order. */
const ACCEPTED: ReadonlyMap<number, 'FILLED' | 'PROCESSING'> = new Map([
  [201, 'FILLED'],
  [202, 'PROCESSING'],
])

/** The signed request that executes the quote `orderId`. */
export async function prepareOrder(
  sender: SignedSender,
  orderId: string,
  tokenLifeSeconds: number,
): Promise<PreparedSend> {
  // An id that could not be read back by its path must not be executed.
  checkId(orderId)
  return sender.prepare({
    endpoint: 'POST /v2/orders',
    target: '/v2/orders',
    content: { orderId },
    tokenLifeSeconds,
    accepted: ACCEPTED,
  })
}
