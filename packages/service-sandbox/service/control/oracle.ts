// Answers as the oracle: it lists what really happened, so that tests can compare it with what a client believes. It
// reads the world's own records, never the API's answers.
import { formatAmount } from '../amount.ts'
import type { MovementRequest, Order, Withdrawal } from '../records.ts'
import { showTime } from '../representation.ts'
import type { RequestLog } from '../request-log.ts'
import { totalOf } from '../withdrawal-book.ts'
import type { World } from '../world.ts'

/**
 * Amounts are settled decimal strings. One movement is one accepted order or withdrawal, with the request that asked
 * for it. A movement that the service still works on is included; its `doneAt` is in the future.
 */
export function consult(world: World, requests: RequestLog): Record<string, unknown> {
  world.settleDue(world.nowMs())
  const violations = world.ledger.audit()
  return {
    at: showTime(world.nowMs()),
    movements: [...world.book.list.map(orderMovement), ...world.withdrawals.list.map(withdrawalMovement)],
    ledger: world.ledger.entries.map((entry) => ({
      ...entry,
      amount: formatAmount(entry.amount),
      atMs: undefined,
      at: showTime(entry.atMs),
    })),
    requests: requests.list(),
    requestsTotal: requests.total,
    invariants: { ok: violations.length === 0, violations },
  }
}

function orderMovement(order: Order): Record<string, unknown> {
  return {
    kind: 'order',
    id: order.id,
    orderId: order.id,
    nonce: order.asked.nonce,
    kid: order.asked.kid,
    market: order.marketId,
    side: order.side,
    status: order.status,
    baseAmount: formatAmount(order.baseAmount),
    quoteAmount: formatAmount(order.quoteAmount),
    filledBaseAmount: formatAmount(order.filledBaseAmount),
    filledQuoteAmount: formatAmount(order.filledQuoteAmount),
    at: showTime(order.createdAtMs),
    ...workOf(order.asked),
  }
}

function workOf({ acceptedAtMs, doneAtMs }: MovementRequest): Record<string, string> {
  if (acceptedAtMs === undefined || doneAtMs === undefined) return {}
  return { acceptedAt: showTime(acceptedAtMs), doneAt: showTime(doneAtMs) }
}

function withdrawalMovement(withdrawal: Withdrawal): Record<string, unknown> {
  return {
    kind: 'withdrawal',
    id: withdrawal.id,
    nonce: withdrawal.asked.nonce,
    kid: withdrawal.asked.kid,
    assetSymbol: withdrawal.assetSymbol,
    contactId: withdrawal.contactId,
    networkId: withdrawal.networkId,
    status: withdrawal.status,
    amount: formatAmount(withdrawal.amount),
    fee: formatAmount(withdrawal.fee),
    total: formatAmount(totalOf(withdrawal)),
    at: showTime(withdrawal.createdAtMs),
    ...workOf(withdrawal.asked),
  }
}
