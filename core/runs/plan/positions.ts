// From the account's balances and open orders to what a planner may count on. Pure. Says what is spendable now,
// and what there will be once all that is under way has arrived or left: docs/assumptions.md says why so.
import { type Decimal, greatest, minus, parseDecimal, parseSignedDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { AssetFacts, Position } from '../../planning/market/snapshot.ts'
import type { BalanceReading, OpenOrder } from '../ports.ts'

interface UnderWay {
  leaves: Decimal
  arrives: Decimal
}

/** `doubts`: the intent in doubt of an asset, by its settled code. What is held of an asset unknown is left out. */
export function positionsOf(
  balances: readonly BalanceReading[],
  orders: readonly OpenOrder[],
  assets: ReadonlyMap<string, AssetFacts>,
  doubts: ReadonlyMap<string, string>,
): ReadonlyMap<string, Position> {
  const underWay = ordersUnderWay(orders)
  const held = new Map(balances.map((balance) => [balance.assetSymbol, balance]))
  const positions = new Map<string, Position>()
  for (const code of new Set([...held.keys(), ...underWay.keys(), ...doubts.keys()])) {
    const asset = assets.get(code)
    if (asset === undefined) continue
    const inDoubt = doubts.get(code)
    positions.set(code, { ...figuresOf(asset, held.get(code), underWay.get(code)), ...(inDoubt && { inDoubt }) })
  }
  return positions
}

function figuresOf(asset: AssetFacts, held: BalanceReading | undefined, moving: UnderWay | undefined): Position {
  const read = (field: 'balance' | 'balanceFrozen' | 'balancePending') =>
    parseSignedDecimal(held?.[field] ?? '0', field)
  const balance = read('balance')
  // The description does not say whether an open order's funds are frozen and pending: the larger is counted.
  const leaves = greatest(read('balanceFrozen'), moving?.leaves ?? ZERO)
  const arrives = greatest(read('balancePending'), moving?.arrives ?? ZERO)
  const left = minus(balance, leaves)
  return { asset, spendable: greatest(left, ZERO), holding: greatest(plus(left, arrives), ZERO) }
}

/** What open orders have yet to give and to bring. An order whose assets no code tells shows in the balances alone. */
function ordersUnderWay(orders: readonly OpenOrder[]): ReadonlyMap<string, UnderWay> {
  const underWay = new Map<string, UnderWay>()
  const add = (asset: string | null, way: keyof UnderWay, whole: string, filled: string) => {
    if (asset === null) return
    const moving = underWay.get(asset) ?? { leaves: ZERO, arrives: ZERO }
    const rest = minus(parseDecimal(whole, 'amount'), parseDecimal(filled, 'filled amount'))
    moving[way] = plus(moving[way], greatest(rest, ZERO))
    underWay.set(asset, moving)
  }
  for (const order of orders) {
    const isSale = order.side === 'SELL'
    add(order.baseAsset, isSale ? 'leaves' : 'arrives', order.baseAmount, order.filledBaseAmount)
    add(order.quoteAsset, isSale ? 'arrives' : 'leaves', order.quoteAmount, order.filledQuoteAmount)
  }
  return underWay
}
