// What a hub may pass on in the second phase of a plan: what the first really brought it of what was to be passed
// on, and what was to be added from its own. What did not come is not made up for from elsewhere.
import type { ConvertLeg } from '../../contract/plan.ts'
import { type Policy, PolicyKind } from '../../contract/policies.ts'
import type { SettledLeg } from '../../contract/runs.ts'
import { type Decimal, greatest, least, minus, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { Snapshot } from '../market/snapshot.ts'

export interface Share {
  /** Units of the hub that this phase was to give up. */
  readonly planned: Decimal
  /** Units that it may give up now. */
  readonly available: Decimal
}

export interface ShareTerms {
  /** Legs of the phases before, and of this one, as planned. */
  readonly earlier: readonly ConvertLeg[]
  readonly due: readonly ConvertLeg[]
  readonly settled: readonly SettledLeg[]
  readonly snapshot: Snapshot
  readonly policy: Policy
}

export function shareOf(hub: string, { earlier, due, settled, snapshot, policy }: ShareTerms): Share {
  const into = earlier.filter(({ brings }) => brings.asset === hub)
  const expected = sumOf(into.map(({ brings }) => parseDecimal(brings.amount, 'brings.amount')))
  const came = sumOf(into.map(({ key }) => broughtBy(settled.find(({ leg }) => leg.key === key)?.conversion)))
  const from = due.filter(({ gives }) => gives.asset === hub)
  const planned = sumOf(from.map(({ gives }) => parseDecimal(gives.amount, 'gives.amount')))
  const own = greatest(ZERO, minus(planned, expected))
  // The rest of what was expected was to stay with the hub: it bears its part of what did not come.
  const onward = minus(planned, own)
  const passedOn = expected === 0n ? ZERO : (((came * onward) / expected) as Decimal)
  const there = greatest(ZERO, minus(snapshot.positions.get(hub)?.spendable ?? ZERO, keepOf(policy, hub)))
  return { planned, available: least(there, plus(own, passedOn)) }
}

/** What a conversion has filled so far, and nothing that is not certain. */
export function broughtBy(conversion: SettledLeg['conversion']): Decimal {
  const text = conversion?.side === 'BUY' ? conversion.baseAmount : conversion?.quoteAmount
  return text === undefined ? ZERO : parseDecimal(text, 'conversion')
}

/** What it has given up for that. */
export function givenBy(conversion: SettledLeg['conversion']): Decimal {
  const text = conversion?.side === 'BUY' ? conversion.quoteAmount : conversion?.baseAmount
  return text === undefined ? ZERO : parseDecimal(text, 'conversion')
}

/** What is to stay of an asset by the policy. */
export function keepOf(policy: Policy, asset: string): Decimal {
  if (policy.kind === PolicyKind.Rebalance) {
    return Object.hasOwn(policy.reserve, asset) ? parseDecimal(policy.reserve[asset], `reserve.${asset}`) : ZERO
  }
  const source = policy.kind === PolicyKind.Fund ? policy.from.find((one) => one.asset === asset) : undefined
  return source === undefined ? ZERO : parseDecimal(source.keep, `from.${asset}.keep`)
}

export function sumOf(values: readonly Decimal[]): Decimal {
  return values.reduce(plus, ZERO)
}
