// Reads fills: GET /v2/orders/{id}/fills and GET /v2/fills (section "FillResource"). Settled figures come from the base
// block. Both lists page by cursor, newest first.
import * as z from 'zod/mini'
import type { ConvertFill } from '../contract/convert.ts'
import { Defect } from '../errors.ts'
import { amount, id, isRebased, multiplier, positiveAmount, text, textOrNull, type View, viewOf } from './fields.ts'
import { collectCursor, type WalkBounds, walkCursor } from './pages.ts'
import type { Reader } from './reader.ts'
import { idParameter, pathOf, type QueryParameter, withQuery } from './request-path.ts'

const figures = { baseAmount: amount, quoteAmount: amount, rate: positiveAmount }
/** Running totals of the order. */
const totals = { filledBaseAmount: amount, filledQuoteAmount: amount }
const fill = z.object({
  id,
  orderId: id,
  /** 1-based position within the order. */
  sequence: z.int().check(z.gte(1)),
  side: text,
  market: text,
  multiplier,
  onCredit: z.boolean(),
  executedAt: text,
  order: z.object({ status: text }),
  base: z.object({ baseAsset: textOrNull, quoteAsset: textOrNull, ...figures, order: z.object(totals) }),
})
const rebasedFill = z.extend(fill, {
  baseAsset: text,
  quoteAsset: text,
  ...figures,
  order: z.object({ status: text, ...totals }),
  assetFormat: isRebased,
})

/** Settled. */
export interface Fill extends ConvertFill {
  readonly orderId: string
  readonly side: string
  readonly market: string
  readonly baseAsset: string | null
  readonly quoteAsset: string | null
  readonly multiplier: string
  readonly onCredit: boolean
  readonly order: { readonly status: string; readonly filledBaseAmount: string; readonly filledQuoteAmount: string }
}

export interface RebasedFill extends Fill {
  readonly rebased: Readonly<Record<'baseAsset' | 'quoteAsset' | keyof typeof figures | keyof typeof totals, string>>
}

export const settledFills = viewOf('base', fill, ({ base, order, ...facts }): Fill => {
  return { ...facts, ...base, order: { ...order, ...base.order } }
})
export const rebasedFills = viewOf('rebased', rebasedFill, (raw): RebasedFill => {
  const { baseAsset, quoteAsset, baseAmount, quoteAmount, rate, assetFormat: _asked, order, ...facts } = raw
  const { status, ...totals } = order
  const rebased = { baseAsset, quoteAsset, baseAmount, quoteAmount, rate, ...totals }
  return { ...settledFills.show({ ...facts, order: { status } }), rebased }
})

export interface FillFilter {
  readonly orderId?: string
  readonly market?: string
  /** Matches either leg. */
  readonly assetSymbol?: string
  readonly side?: 'BUY' | 'SELL'
  /** ISO-8601, inclusive. */
  readonly startDate?: string
  /** ISO-8601, exclusive. */
  readonly endDate?: string
}

/** Where fills are read from: the whole account, or one order. */
interface FillList {
  readonly endpoint: string
  readonly path: string
  readonly filter: readonly QueryParameter[]
}

const fillsOfAccount = (filter: FillFilter): FillList => ({
  endpoint: 'GET /v2/fills',
  path: '/v2/fills',
  filter: [
    idParameter('orderId', filter.orderId),
    ['market', filter.market],
    ['assetSymbol', filter.assetSymbol],
    ['side', filter.side],
    ['startDate', filter.startDate],
    ['endDate', filter.endDate],
  ],
})

const fillsOfOrder = (orderId: string): FillList => ({
  endpoint: 'GET /v2/orders/{id}/fills',
  path: `${pathOf('/v2/orders', orderId)}/fills`,
  filter: [],
})

const readPageOf =
  <Raw, Shown>(reader: Reader, { endpoint, path, filter }: FillList, view: View<Raw, Shown>) =>
  (cursor: string | undefined, limit: number) =>
    reader.read({
      endpoint,
      target: withQuery(path, [['limit', limit], ['cursor', cursor], ...filter, ['assetFormat', view.assetFormat]]),
      shape: view.cursorPageShape,
    })

/** Matching fills, newest first. */
export async function* walkFills<Raw, Shown>(
  reader: Reader,
  filter: FillFilter,
  bounds: WalkBounds,
  view: View<Raw, Shown>,
): AsyncGenerator<Shown, void> {
  const list = fillsOfAccount(filter)
  for await (const row of walkCursor(list.endpoint, bounds, readPageOf(reader, list, view))) yield view.show(row)
}

/** Fills of one order, newest first. */
export async function* walkOrderFills<Raw extends { orderId: string }, Shown>(
  reader: Reader,
  orderId: string,
  bounds: WalkBounds,
  view: View<Raw, Shown>,
): AsyncGenerator<Shown, void> {
  const list = fillsOfOrder(orderId)
  for await (const row of walkCursor(list.endpoint, bounds, readPageOf(reader, list, view))) {
    requireOrder(list.endpoint, row, orderId)
    yield view.show(row)
  }
}

/** All matching fills, newest first, at most `limit`. Throws TooMany beyond it. */
export async function listFills(reader: Reader, filter: FillFilter, limit: number): Promise<readonly Fill[]> {
  const list = fillsOfAccount(filter)
  return (await collectCursor(list.endpoint, limit, readPageOf(reader, list, settledFills))).map(settledFills.show)
}

/** All fills of one order, oldest first, at most `limit`. Throws TooMany beyond it. */
export async function listOrderFills(reader: Reader, orderId: string, limit: number): Promise<readonly Fill[]> {
  const list = fillsOfOrder(orderId)
  const fills = await collectCursor(list.endpoint, limit, readPageOf(reader, list, settledFills))
  for (const each of fills) requireOrder(list.endpoint, each, orderId)
  return fills.map(settledFills.show).toSorted((left, right) => left.sequence - right.sequence)
}

function requireOrder(endpoint: string, fill: { readonly orderId: string }, orderId: string): void {
  if (fill.orderId !== orderId)
    throw new Defect(`${endpoint}: a fill that came belongs to another order than was asked for`)
}
