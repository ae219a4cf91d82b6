// Tests quotes, orders and fills. A quote moves nothing, and neither does a signed order without a real quote. One
// small conversion is made only if moves are allowed.
import { expect, it } from 'vitest'
import { type Decimal, formatDecimal, parseDecimal } from '../../core/money/decimal.ts'
import type { QuoteRequest } from '../../core/service/ports.ts'
import { isAnswered, type Target, take, VISIBLE_WITHIN_MS } from './target.ts'

/** Codes about the key or its signature, and not about the request. */
const KEY_CODES = ['unauthorized', 'key_expired', 'key_revoked', 'invalid_signature', 'clock_skew', 'nonce_reused']

export function describeConversions(target: () => Target): void {
  it('a quote has the requested amount, or is refused for a business reason', async (test) => {
    const request = await smallestBuy(target())
    if (request === undefined) return target().lacks('balance for the smallest conversion', test)
    const quote = await target()
      .trade.createQuote(request)
      .catch((error: unknown) => error)
    if (quote instanceof Error) expect(quote).toMatchObject({ name: 'Refused', problem: { isDocument: true } })
    else expect(parseDecimal((quote as { quoteAmount: string }).quoteAmount, 'quoteAmount')).toBe(amountOf(request))
  })

  it('a signed order for a quote that never existed is refused for a business reason, and moves nothing', async () => {
    const { trade } = target()
    const orderId = crypto.randomUUID()
    const answer = await (await trade.prepareOrder(orderId, 30)).send()
    if (answer.kind !== 'unproven') throw new Error('an order was accepted for a quote that never was')
    expect(KEY_CODES).not.toContain(answer.said.code)
    expect(answer.said.status).toBeLessThan(500)
    expect(await trade.findOrder(orderId)).toBeUndefined()
  })

  it('a conversion, if allowed, is accepted and can be read with its fills', async (test) => {
    const { trade, mayMove } = target()
    if (!mayMove) return target().lacks('leave to move money', test)
    const request = await smallestBuy(target())
    if (request === undefined) return target().lacks('balance for the smallest conversion', test)
    const quote = await trade.createQuote(request)
    isAnswered(await (await trade.prepareOrder(quote.orderId, 30)).send())
    const statusNow = async () => (await trade.findOrder(quote.orderId))?.status
    await expect.poll(statusNow, { timeout: VISIBLE_WITHIN_MS }).toBe('FILLED')
    const fills = await trade.fillsOf(quote.orderId, 100)
    const filled = fills.reduce((sum, { baseAmount }) => sum + parseDecimal(baseAmount, 'baseAmount'), 0n)
    expect(formatDecimal(filled as Decimal)).toBe(formatDecimal(parseDecimal(quote.baseAmount, 'baseAmount')))
    expect((await take(9, trade.walkFills({ orderId: quote.orderId }))).map(({ id }) => id)).toEqual(
      fills.map(({ id }) => id).reverse(),
    )
  })

  it('orders are filtered, and read one by one, settled and rebased, with their fills', async (test) => {
    const { read } = target()
    const orders = await take(3, read.walkOrders({}, { pageLimit: 2 }))
    if (orders.length === 0) return target().lacks('order', test)
    for (const order of orders) {
      expect(await read.findOrder(order.id)).toMatchObject({ id: order.id, baseAmount: order.baseAmount })
      expect((await read.rebased.order(order.id)).baseAmount).toBe(order.baseAmount)
      const { market, status, side } = order
      if (side !== 'BUY' && side !== 'SELL') continue
      const alike = await take(20, read.walkOrders({ market, status, side }))
      expect(alike.every((each) => each.market === market && each.status === status && each.side === side)).toBe(true)
      for (const fill of await take(5, read.walkFillsOf(order.id, { pageLimit: 1 })))
        expect(fill.orderId).toBe(order.id)
      for (const fill of await take(5, read.rebased.walkFillsOf(order.id))) expect(fill.orderId).toBe(order.id)
    }
    const [newest] = orders
    if (newest === undefined) return
    const since = await take(50, read.rebased.walkOrders({ startDate: newest.createdAt }))
    expect(since.map(({ id }) => id)).toContain(newest.id)
  })

  it('fills are filtered and paged by cursor, each once', async (test) => {
    const { read } = target()
    const fills = await take(7, read.walkFills({}, { pageLimit: 2 }))
    expect(new Set(fills.map(({ id }) => id)).size).toBe(fills.length)
    const [newest] = fills
    if (newest === undefined) return target().lacks('fill', test)
    const { market, orderId, executedAt } = newest
    const side: 'BUY' | 'SELL' = newest.side === 'SELL' ? 'SELL' : 'BUY'
    const filter = { market, side, orderId, startDate: executedAt, assetSymbol: market.split('-')[0] ?? '' }
    expect((await take(50, read.rebased.walkFills(filter))).map(({ id }) => id)).toContain(newest.id)
    expect(await take(1, read.walkFills({ orderId, endDate: '2020-01-01T00:00:00Z' }))).toEqual([])
  })
}

const amountOf = ({ amount }: QuoteRequest) => parseDecimal(amount, 'amount')

/** Twice the minimum of the first market whose quote asset the account holds enough of. */
async function smallestBuy({ read }: Target): Promise<QuoteRequest | undefined> {
  const balances = new Map((await read.balances()).map(({ assetSymbol, balance }) => [assetSymbol, balance]))
  for (const { baseAsset, quoteAsset, minQuoteAmount } of await read.markets()) {
    const amount = (parseDecimal(minQuoteAmount, 'minQuoteAmount') * 2n) as Decimal
    const held = balances.get(quoteAsset) ?? '0'
    if (amount === 0n || held.startsWith('-') || parseDecimal(held, 'balance') < amount) continue
    return { baseAsset, quoteAsset, side: 'BUY', amountAsset: quoteAsset, amount: formatDecimal(amount) }
  }
  return undefined
}
