// Do policies undo each other's work? Of each day: what one policy turns from one asset into another, and another
// policy turns back. Pure.
import type { Claimed } from './judge.ts'
import { dayOf } from './script.ts'

/** USD a day and pair: below it, what the hub of a rebalance leaves. */
const BOUND_USD = 100

export function judgeFighting(claimed: readonly Claimed[]): string[] {
  const flows = new Map<string, Map<string, number>>()
  for (const { intent, policy, usd, atMs } of claimed) {
    const { baseAsset, quoteAsset, side } = intent.params as Partial<Record<string, string>>
    if (baseAsset === undefined || quoteAsset === undefined) continue
    const [from, to] = side === 'SELL' ? [baseAsset, quoteAsset] : [quoteAsset, baseAsset]
    const pair = `${dayOf(atMs)} ${from} ${to}`
    const own = flows.get(pair) ?? new Map<string, number>()
    flows.set(pair, own)
    own.set(policy, (own.get(policy) ?? 0) + usd)
  }
  return [...flows].flatMap(([pair, there]) => {
    const [day, from, to] = pair.split(' ') as [string, string, string]
    // Each pair is looked at once.
    if (from > to) return []
    const back = flows.get(`${day} ${to} ${from}`) ?? new Map<string, number>()
    return [...there].flatMap(([policy, usd]) =>
      [...back].flatMap(([other, otherUsd]) => {
        const roundTrip = Math.min(usd, otherUsd)
        if (other === policy || roundTrip <= BOUND_USD) return []
        return [`on day ${day} ${policy} turned ${from} into ${to} and ${other} back: ${roundTrip.toFixed(2)} USD`]
      }),
    )
  })
}
