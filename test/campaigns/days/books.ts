// Computes the account during the days from the witness's ledger alone: holdings at a moment, and values by the prices
// of the script. Its figures are numbers for judging, accurate to a cent.
import { dayOf, type Prices } from './script.ts'

export interface LedgerEntry {
  readonly asset: string
  readonly from: string
  readonly to: string
  /** Settled units. */
  readonly amount: string
  readonly at: string
  readonly source: { readonly type: string; readonly id: string }
  readonly orderId?: string
}

export interface Books {
  /** The available balance after everything up to that moment was booked. */
  heldAt(asset: string, atMs: number): number
  /** Each entry that took from an available balance, with the balance after it and the movement or order. */
  takings(): readonly Taking[]
  /** USD of one settled unit. */
  priceAt(asset: string, atMs: number): number
}

export interface Taking {
  readonly asset: string
  /** The amount as it was taken. */
  readonly amount: number
  /** The amount less what came back after an order or a withdrawal failed. */
  readonly kept: number
  readonly left: number
  readonly atMs: number
  readonly movementId: string
}

/** The service's opening prices. They wander by less than a thousandth. */
const CALM_USD: Readonly<Record<string, number>> = { USD: 1, USDC: 1, USDT: 0.9998, EUR: 1.0842, EURC: 1.0842 }

interface Step {
  readonly atMs: number
  readonly held: number
}

export function keepBooks(ledger: readonly LedgerEntry[], prices: readonly Prices[]): Books {
  const steps = new Map<string, Step[]>()
  const takings: { -readonly [Field in keyof Taking]: Taking[Field] }[] = []
  for (const { asset, from, to, amount, at, source, orderId } of ledger) {
    if ((from === 'available') === (to === 'available')) continue
    const own = steps.get(asset) ?? []
    steps.set(asset, own)
    const change = to === 'available' ? Number(amount) : -Number(amount)
    const atMs = Date.parse(at)
    const left = (own.at(-1)?.held ?? 0) + change
    own.push({ atMs, held: left })
    const movementId = orderId ?? source.id
    const taken = takings.findLast((taking) => taking.movementId === movementId && taking.asset === asset)
    if (change < 0) takings.push({ asset, amount: -change, kept: -change, left, atMs, movementId })
    else if (taken !== undefined) taken.kept -= change
  }
  return {
    heldAt: (asset, atMs) => lastBefore(steps.get(asset) ?? [], atMs)?.held ?? 0,
    takings: () => takings,
    priceAt(asset, atMs) {
      const calm = CALM_USD[asset]
      if (calm !== undefined) return calm
      const usd = (lastBefore(prices, atMs) ?? prices[0])?.usd[asset]
      if (usd === undefined) throw new Error(`the script has no price of ${asset}`)
      return usd
    },
  }
}

/** Last item at or before a moment. `items`: sorted by time. */
function lastBefore<Item extends { readonly atMs: number }>(items: readonly Item[], atMs: number): Item | undefined {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((items[middle] as Item).atMs <= atMs) low = middle + 1
    else high = middle
  }
  return items[low - 1]
}

export function sumByDay<Item extends { readonly atMs: number }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  amountOf: (item: Item) => number,
): ReadonlyMap<string, ReadonlyMap<number, number>> {
  const sums = new Map<string, Map<number, number>>()
  for (const item of items) {
    const name = nameOf(item)
    const days = sums.get(name) ?? new Map<number, number>()
    sums.set(name, days)
    const day = dayOf(item.atMs)
    days.set(day, (days.get(day) ?? 0) + amountOf(item))
  }
  return sums
}
