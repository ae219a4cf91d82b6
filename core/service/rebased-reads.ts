// Owns the reads for people: every resource that has a rebased representation (section "assetFormat"). Settled figures
// are in their usual fields, and the rebased figures under `rebased`. Code that decides about money must not read
// these.
import { listRebasedBalances, type RebasedBalance } from './balances.ts'
import { type FillFilter, type RebasedFill, rebasedFills, walkFills, walkOrderFills } from './fills.ts'
import { type DepositFilter, type RebasedDeposit, rebasedDeposits, walkDeposits } from './ledger.ts'
import { type Price, type PriceRequest, readPrice } from './markets.ts'
import { type OrderFilter, type RebasedOrder, readOrder, rebasedOrders, walkOrders } from './orders.ts'
import type { WalkBounds } from './pages.ts'
import type { Reader } from './reader.ts'
import {
  type RebasedWithdrawal,
  readWithdrawal,
  rebasedWithdrawals,
  type WithdrawalFilter,
  walkWithdrawals,
} from './withdrawals.ts'

export interface RebasedReads {
  /** Both the amount of the request and the answer are rebased, because a price has no settled block. */
  price(marketId: string, request: PriceRequest): Promise<Price>
  order(orderId: string): Promise<RebasedOrder>
  walkOrders(filter?: OrderFilter, bounds?: WalkBounds): AsyncGenerator<RebasedOrder, void>
  walkFills(filter?: FillFilter, bounds?: WalkBounds): AsyncGenerator<RebasedFill, void>
  walkFillsOf(orderId: string, bounds?: WalkBounds): AsyncGenerator<RebasedFill, void>
  balances(): Promise<readonly RebasedBalance[]>
  walkDeposits(filter?: DepositFilter, bounds?: WalkBounds): AsyncGenerator<RebasedDeposit, void>
  withdrawal(withdrawalId: string): Promise<RebasedWithdrawal>
  walkWithdrawals(filter?: WithdrawalFilter, bounds?: WalkBounds): AsyncGenerator<RebasedWithdrawal, void>
}

export function createRebasedReads(reader: Reader): RebasedReads {
  return {
    price: (marketId, request) => readPrice(reader, marketId, request, 'rebased'),
    order: (orderId) => readOrder(reader, orderId, rebasedOrders),
    walkOrders: (filter = {}, bounds = {}) => walkOrders(reader, filter, bounds, rebasedOrders),
    walkFills: (filter = {}, bounds = {}) => walkFills(reader, filter, bounds, rebasedFills),
    walkFillsOf: (orderId, bounds = {}) => walkOrderFills(reader, orderId, bounds, rebasedFills),
    balances: () => listRebasedBalances(reader),
    walkDeposits: (filter = {}, bounds = {}) => walkDeposits(reader, filter, bounds, rebasedDeposits),
    withdrawal: (withdrawalId) => readWithdrawal(reader, withdrawalId, rebasedWithdrawals),
    walkWithdrawals: (filter = {}, bounds = {}) => walkWithdrawals(reader, filter, bounds, rebasedWithdrawals),
  }
}
