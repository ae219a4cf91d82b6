// Every endpoint of the API, one action each.
import { createQuote } from './actions/create-quote.ts'
import { getAccount } from './actions/get-account.ts'
import { getAsset } from './actions/get-asset.ts'
import { getHealth } from './actions/get-health.ts'
import { getMarket } from './actions/get-market.ts'
import { getOrder } from './actions/get-order.ts'
import { getPrice } from './actions/get-price.ts'
import { getTime } from './actions/get-time.ts'
import { listAssets } from './actions/list-assets.ts'
import { listBalances } from './actions/list-balances.ts'
import { listFills } from './actions/list-fills.ts'
import { listMarkets } from './actions/list-markets.ts'
import { listOrderFills } from './actions/list-order-fills.ts'
import { listOrders } from './actions/list-orders.ts'
import { placeOrder } from './actions/place-order.ts'
import type { Action } from './exchange.ts'

export const ACTIONS: readonly Action[] = [
  getHealth,
  getTime,
  getAccount,
  listAssets,
  getAsset,
  listMarkets,
  getMarket,
  getPrice,
  createQuote,
  placeOrder,
  listOrders,
  getOrder,
  listOrderFills,
  listFills,
  listBalances,
]
