// Runs the queries for orders, fills and indicative prices. Writes nothing.

import type { Fill, RebasedFill } from '../../core/service/fills.ts'
import type { PriceRequest } from '../../core/service/markets.ts'
import type { Order, RebasedOrder } from '../../core/service/orders.ts'
import type { Column } from '../words/column.ts'
import {
  type Ask,
  amountField,
  assetColumn,
  codeField,
  detail,
  field,
  figure,
  idField,
  labelField,
  listing,
  type Query,
  single,
  spelled,
  timeField,
} from './columns.ts'
import { bothCodes, readSpellings, type Spellings } from './spelling.ts'

export const orders: Query = async (ask) => {
  const { client, argument, filters, isRebased, pageLimit } = ask
  const spellings = await readSpellings(client)
  const columns = orderColumns(ask, spellings)
  const source = isRebased ? client.rebased : client
  if (argument !== undefined) {
    const order: Order | RebasedOrder = await source.order(argument)
    return single(columns, spellings.spell(order, baseAssetOf))
  }
  const rows: AsyncIterable<Order | RebasedOrder> = source.walkOrders(filters, { pageLimit })
  return listing(columns, spelled(spellings, rows, baseAssetOf))
}

function orderColumns({ isRebased }: Ask, spellings: Spellings): Column<Order | RebasedOrder>[] {
  return [
    timeField('createdAt'),
    codeField('status', 'status'),
    codeField('side', 'status'),
    labelField('market'),
    detail(assetColumn('baseAsset', spellings)),
    figure('baseAmount', isRebased),
    detail(figure('filledBaseAmount', isRebased, 'filled')),
    // A quote amount is the same in both units.
    detail(amountField('quoteAmount')),
    detail(amountField('filledQuoteAmount', 'filled quote')),
    figure('rate', isRebased),
    { title: 'on credit', text: ({ onCredit }) => (onCredit ? 'yes' : ''), isDetail: true },
    idField('id', 'order'),
  ]
}

export const fills: Query = async (ask) => {
  const { client, filters, isRebased, pageLimit } = ask
  const spellings = await readSpellings(client)
  const source = isRebased ? client.rebased : client
  const rows: AsyncIterable<Fill | RebasedFill> = source.walkFills(filters, { pageLimit })
  const columns: Column<Fill | RebasedFill>[] = [
    timeField('executedAt'),
    codeField('side', 'status'),
    labelField('market'),
    detail(assetColumn('baseAsset', spellings)),
    figure('baseAmount', isRebased),
    detail(amountField('quoteAmount')),
    figure('rate', isRebased),
    detail(field('sequence')),
    { title: 'order status', text: ({ order }) => order.status, words: 'status', isDetail: true },
    idField('orderId', 'order'),
    idField('id', 'fill'),
  ]
  return listing(columns, spelled(spellings, rows, baseAssetOf))
}

function baseAssetOf({ baseAsset }: Order | Fill): string | null {
  return baseAsset
}

/** The market is read too, because it has both codes of the base asset. */
export const price: Query = async ({ client, argument = '', filters, isRebased }) => {
  const source = isRebased ? client.rebased : client
  const { side } = filters
  if (side === undefined) throw new TypeError('a side is required, and was not checked')
  const asked: PriceRequest = { ...filters, side }
  const { id, baseAsset, rebasedBaseAsset, quoteAsset } = await client.market(argument)
  const { rate, baseAmount } = await source.price(id, asked)
  const record = {
    market: id,
    settledSymbol: baseAsset,
    rebasedSymbol: rebasedBaseAsset,
    quoteAsset,
    ...asked,
    units: isRebased ? 'rebased' : 'settled',
    rate,
    baseAmount,
  }
  const mark = isRebased ? ' (rebased)' : ''
  const columns: Column<typeof record>[] = [
    field('market'),
    codeField('side', 'status'),
    { title: 'base asset', text: bothCodes },
    field('quoteAsset'),
    amountField('rate', `rate${mark}`),
    amountField('baseAmount', `base amount${mark}`),
  ]
  return single(columns, record)
}
