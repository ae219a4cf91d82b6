// Judges whether policies undo each other's work, or a rebalance its own: what is converted and converted back within a
// day. It also judges the hub: a rebalance must not pay from it with others' money, and must report what it leaves
// there. Pure.
import { sumByDay, type Taking } from './books.ts'
import type { MovedIntent } from './evidence.ts'
import { dayOf } from './script.ts'
import { HUB } from './treasury.ts'

/** A movement with the intent that claims it. */
export interface Claimed extends Taking {
  readonly intent: MovedIntent
  readonly policy: string
  /** Its value when taken, and its value less what came back. */
  readonly usd: number
  readonly keptUsd: number
}

/** Largest round trip, USD for each day and pair. */
const BOUND_USD = 100
/**
 * A crash, a rally or new capital may turn a rebalance around within a day, once in this many days. Too narrow a band
 * does it daily.
 */
const DAYS_A_TURN = 25
/** Rounding to increments, in units of the hub. */
const ROUNDING = 0.01

interface Turn extends Claimed {
  readonly given: string
  readonly got: string
}

export function judgeFighting(claimed: readonly Claimed[], days: number): string[] {
  const turns = claimed.flatMap((taking): Turn[] => {
    const { baseAsset, quoteAsset, side } = taking.intent.params as Partial<Record<string, string>>
    if (baseAsset === undefined || quoteAsset === undefined) return []
    const [given, got] = side === 'SELL' ? [baseAsset, quoteAsset] : [quoteAsset, baseAsset]
    return [{ ...taking, given, got }]
  })
  return [...betweenPolicies(turns), ...withinRebalance(turns, days)]
}

function betweenPolicies(turns: readonly Turn[]): string[] {
  const flows = new Map<string, Map<string, number>>()
  for (const { given, got, policy, keptUsd, atMs } of turns) {
    const pair = `${dayOf(atMs)} ${given} ${got}`
    const own = flows.get(pair) ?? new Map<string, number>()
    flows.set(pair, own)
    own.set(policy, (own.get(policy) ?? 0) + keptUsd)
  }
  return [...flows].flatMap(([pair, there]) => {
    const [day, from, to] = pair.split(' ') as [string, string, string]
    // Checks each pair once.
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

function withinRebalance(turns: readonly Turn[], days: number): string[] {
  const own = turns.filter(({ policy }) => policy === 'balanced')
  const usdOf = ({ keptUsd }: Turn) => keptUsd
  const sold = sumByDay(own, ({ given }) => given, usdOf)
  const bought = sumByDay(own, ({ got }) => got, usdOf)
  const turned = [...sold]
    .filter(([asset]) => asset !== HUB)
    .flatMap(([asset, byDay]) =>
      [...byDay].flatMap(([day, usd]) =>
        Math.min(usd, bought.get(asset)?.get(day) ?? 0) > BOUND_USD ? [`${asset} on day ${day}`] : [],
      ),
    )
  if (turned.length <= 1 + days / DAYS_A_TURN) return []
  return [`balanced took back its own work too often: ${turned.join(', ')}`]
}

/** An entry of the ledger with its run. */
export interface RunEntry {
  readonly run: string
  readonly asset: string
  /** Negative where it leaves the account. */
  readonly change: number
}

/** `told`: the rest in the hub that the last run reports. A later run may use what an earlier one left there. */
export function judgeHub(entries: readonly RunEntry[], reported: number): string[] {
  let left = 0
  for (const { run, asset, change } of entries) {
    if (asset !== HUB) continue
    left += change
    if (left < -ROUNDING) return [`run ${run} of balanced paid ${-left} ${HUB} that no run of it had brought`]
  }
  if (Math.abs(left - reported) <= ROUNDING) return []
  return [`runs of balanced left ${left.toFixed(2)} ${HUB} on the way, and the last tells of ${reported.toFixed(2)}`]
}
