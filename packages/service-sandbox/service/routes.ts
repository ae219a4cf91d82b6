// Lists every endpoint of the API, one action each.
import { createQuote } from './actions/create-quote.ts'
import { createWithdrawal } from './actions/create-withdrawal.ts'
import { getAccount } from './actions/get-account.ts'
import { getAsset } from './actions/get-asset.ts'
import { getBalanceHistory } from './actions/get-balance-history.ts'
import { getContact } from './actions/get-contact.ts'
import { getHealth } from './actions/get-health.ts'
import { getMarket } from './actions/get-market.ts'
import { getOrder } from './actions/get-order.ts'
import { getPrice } from './actions/get-price.ts'
import { getTime } from './actions/get-time.ts'
import { getWebhookKeys } from './actions/get-webhook-keys.ts'
import { getWithdrawal } from './actions/get-withdrawal.ts'
import { listAssets } from './actions/list-assets.ts'
import { listBalances } from './actions/list-balances.ts'
import { listContacts } from './actions/list-contacts.ts'
import { listDeposits } from './actions/list-deposits.ts'
import { listFills } from './actions/list-fills.ts'
import { listLedger } from './actions/list-ledger.ts'
import { listMarkets } from './actions/list-markets.ts'
import { listOrderFills } from './actions/list-order-fills.ts'
import { listOrders } from './actions/list-orders.ts'
import { listWithdrawals } from './actions/list-withdrawals.ts'
import { placeOrder } from './actions/place-order.ts'
import { updateContact } from './actions/update-contact.ts'
import type { Action } from './exchange.ts'

export const ACTIONS: readonly Action[] = [
  getHealth,
  getTime,
  getWebhookKeys,
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
  getBalanceHistory,
  createWithdrawal,
  listWithdrawals,
  getWithdrawal,
  listContacts,
  getContact,
  updateContact,
  listDeposits,
  listLedger,
]
