// Counts usage in the units that AWS charges for, and computes its cost.
import { PRICES, type Priced } from './prices.ts'

export type Usage = Readonly<Record<Priced, number>>

export const KINDS = Object.keys(PRICES) as readonly Priced[]

export const NOTHING: Usage = usageBy(() => 0)

export function add(left: Usage, right: Usage): Usage {
  return usageBy((kind) => left[kind] + right[kind])
}

export function times(usage: Usage, factor: number): Usage {
  return usageBy((kind) => usage[kind] * factor)
}

/** USD, by kind. */
export function costsOf(usage: Usage): Usage {
  return usageBy((kind) => usage[kind] * PRICES[kind])
}

/** USD. */
export function costOf(usage: Usage): number {
  return Object.values(costsOf(usage)).reduce((total, cost) => total + cost, 0)
}

function usageBy(of: (kind: Priced) => number): Usage {
  return Object.fromEntries(KINDS.map((kind) => [kind, of(kind)])) as Usage
}
