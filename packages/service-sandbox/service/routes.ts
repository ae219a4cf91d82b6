// Lists every endpoint of the API, one action each.

import { getAccount, getBalanceHistory, listBalances, listDeposits, listLedger } from './actions/account.ts'
import { getContact, listContacts, updateContact } from './actions/contacts.ts'
import { createQuote } from './actions/create-quote.ts'
import { createWithdrawal } from './actions/create-withdrawal.ts'
import { getHealth, getTime, getWebhookKeys } from './actions/host.ts'
import { getAsset, getMarket, getPrice, listAssets, listMarkets } from './actions/listings.ts'
import { getOrder, listFills, listOrderFills, listOrders } from './actions/orders.ts'
import { placeOrder } from './actions/place-order.ts'
import { getWithdrawal, listWithdrawals } from './actions/withdrawals.ts'
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
