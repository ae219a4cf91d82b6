// OrderResource and FillResource (description, "Resources and their fields"): orders and fills in the requested
// representation, always with the settled block.
import { formatAmount } from '../amount.ts'
import type { AssetFormat } from '../fields.ts'
import { marketOf } from '../markets.ts'
import type { Fill, Order } from '../records.ts'
import { showAmount, showLegs, showRate, showTime } from '../representation.ts'

export function showOrder(order: Order, format: AssetFormat): Record<string, unknown> {
  const market = marketOf(order.marketId)
  const figures = (units: AssetFormat) => ({
    ...showLegs(market, units),
    baseAmount: showAmount(order.baseAmount, market.base, order.multiplier, units),
    filledBaseAmount: showAmount(order.filledBaseAmount, market.base, order.multiplier, units),
    quoteAmount: formatAmount(order.quoteAmount),
    filledQuoteAmount: formatAmount(order.filledQuoteAmount),
    rate: showRate(order.rate, order.multiplier, units),
  })
  return {
    id: order.id,
    status: order.status,
    side: order.side,
    market: market.id,
    ...figures(format),
    multiplier: formatAmount(order.multiplier),
    assetFormat: format,
    onCredit: order.onCredit,
    createdAt: showTime(order.createdAtMs),
    base: figures('base'),
  }
}

/** `order`: the order of the fill. A fill shows the order's current state. */
export function showFill(fill: Fill, order: Order, format: AssetFormat): Record<string, unknown> {
  const market = marketOf(order.marketId)
  const figures = (units: AssetFormat) => ({
    ...showLegs(market, units),
    baseAmount: showAmount(fill.baseAmount, market.base, fill.multiplier, units),
    quoteAmount: formatAmount(fill.quoteAmount),
    rate: showRate(order.rate, fill.multiplier, units),
  })
  const filled = (units: AssetFormat) => ({
    filledBaseAmount: showAmount(order.filledBaseAmount, market.base, order.multiplier, units),
    filledQuoteAmount: formatAmount(order.filledQuoteAmount),
  })
  return {
    id: fill.id,
    orderId: order.id,
    sequence: fill.sequence,
    side: order.side,
    market: market.id,
    ...figures(format),
    multiplier: formatAmount(fill.multiplier),
    assetFormat: format,
    onCredit: fill.onCredit,
    executedAt: showTime(fill.executedAtMs),
    order: { status: order.status, ...filled(format) },
    base: { ...figures('base'), order: filled('base') },
  }
}
