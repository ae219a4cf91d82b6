// POST /v2/orders: executes a quote, once, at the quote's terms. It fills at placement unless circumstances make it
// settle later. Signed.

import { truncateTo } from '../amount.ts'
import { type Answer, action, type Circumstances, type HeldAnswer, movementRequest } from '../exchange.ts'
import { opaqueId } from '../fields.ts'
import { doneAt } from '../manners/manners.ts'
import { marketOf } from '../markets.ts'
import { requireFunds } from '../pricing.ts'
import { unprocessable } from '../problem.ts'
import type { PlacedOrder, Quote, Step } from '../records.ts'
import { quotationExpired } from '../resources.ts'
import type { World } from '../world.ts'

export const placeOrder = action({
  method: 'POST',
  path: '/v2/orders',
  summary: 'Executes a quote',
  access: { tier: 'signed', scope: 'trading:write' },
  query: {},
  body: { orderId: opaqueId },
  answers: { 201: 'PlacedOrder', 202: 'PlacedOrder' },
  answer: ({ world, nowMs, body, caller, circumstances }) => {
    const quote = executableQuote(world, body.orderId, nowMs)
    const { onCredit } = requireFunds(world, quote)
    // An order on credit fills as its debt is paid, even if a rule asks for a later settlement.
    const later = onCredit ? undefined : circumstances.settleLater
    const doneAtMs = onCredit ? nowMs : doneAt(world, nowMs)
    const order: PlacedOrder = {
      id: quote.id,
      marketId: quote.marketId,
      side: quote.side,
      rate: quote.rate,
      baseAmount: quote.baseAmount,
      quoteAmount: quote.quoteAmount,
      multiplier: quote.multiplier,
      onCredit,
      ...(later?.reserve === false && { isUnreserved: true }),
      createdAtMs: world.rowDate('order', doneAtMs),
      visibleAtMs: Math.max(doneAtMs, nowMs + (circumstances.lateVisibilityMs ?? 0)),
      asked: movementRequest(caller, nowMs, doneAtMs),
      steps: later === undefined ? [] : stepsOf(quote, later, doneAtMs),
    }
    if (doneAtMs > nowMs) return workOn(world, order, later, doneAtMs)
    return onCredit || later !== undefined ? settleLater(world, order, nowMs) : fillAtOnce(world, order, nowMs)
  },
})

/** Throws quotation_expired, also for a used quote. */
function executableQuote(world: World, id: string, nowMs: number): Quote {
  if (world.book.findOrder(id) !== undefined) throw quotationExpired(world.manners, 'The quote has been used.')
  const quote = world.book.findQuote(id)
  if (quote === undefined) throw unprocessable('There is no quote with this orderId.')
  if (nowMs >= quote.expiresAtMs) throw quotationExpired(world.manners, 'The quote has expired.')
  return quote
}

function fillAtOnce(world: World, order: PlacedOrder, nowMs: number): Answer {
  const fill = world.newFill(order, order, order.multiplier, nowMs)
  world.commit({ kind: 'order.placed', order, fill })
  return { status: 201, body: { id: order.id, status: 'FILLED', transactionId: fill.id } }
}

function settleLater(world: World, order: PlacedOrder, nowMs: number): Answer {
  world.commit({ kind: 'order.placed', order })
  // The balance pays now what it can of an order on credit.
  world.settleDue(nowMs)
  return { status: 202, body: { id: order.id, status: 'PROCESSING' } }
}

/** Reserves the funds now. Nobody sees the order before it is done. */
function workOn(world: World, order: PlacedOrder, later: Later | undefined, doneAtMs: number): HeldAnswer {
  const { id, baseAmount, quoteAmount } = order
  if (later !== undefined) {
    world.commit({ kind: 'order.placed', order })
    return { status: 202, readyAtMs: doneAtMs, bodyThen: () => ({ id, status: 'PROCESSING' }) }
  }
  const steps: Step[] = [{ do: 'fill', atMs: doneAtMs, baseAmount, quoteAmount }]
  world.commit({ kind: 'order.placed', order: { ...order, steps } })
  const transactionId = () => world.book.findOrder(id)?.fills[0]?.id
  return {
    status: 201,
    readyAtMs: doneAtMs,
    bodyThen: () => ({ id, status: 'FILLED', transactionId: transactionId() }),
  }
}

type Later = NonNullable<Circumstances['settleLater']>

function stepsOf(quote: Quote, { afterMs, outcome }: Later, nowMs: number): Step[] {
  const atMs = nowMs + afterMs
  if (outcome === 'fail') return [{ do: 'fail', atMs }]
  if (outcome === 'fill') {
    return [{ do: 'fill', atMs, baseAmount: quote.baseAmount, quoteAmount: quote.quoteAmount }]
  }
  const { base, quote: quoteAsset } = marketOf(quote.marketId)
  // Fills about half of the base amount, with the matching part of the quote amount.
  const baseAmount = truncateTo(quote.baseAmount.div(2), base.increment)
  const quoteAmount = truncateTo(quote.quoteAmount.times(baseAmount).div(quote.baseAmount), quoteAsset.increment)
  return [
    { do: 'fill', atMs, baseAmount, quoteAmount },
    { do: 'fail', atMs: atMs + afterMs },
  ]
}
