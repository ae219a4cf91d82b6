// From flows of value to the legs of a plan. A conversion that would be too small falls away, and with it what
// it would have carried on or been carried by.
import type { ConvertLeg } from '../../contract/plan.ts'
import type { Cut } from '../market/bounds.ts'
import type { Hop } from '../market/market-index.ts'
import { makeConversion } from './conversion.ts'
import type { Flow } from './flows.ts'
import { type AmountTerms, amountsOf } from './legs.ts'

export interface Draft {
  /** By phase, then importance. Their reasons are empty: the planner knows them. */
  readonly legs: readonly ConvertLeg[]
  readonly dropped: readonly { readonly hop: Hop; readonly cut: Cut }[]
}

export function draftLegs(flows: readonly Flow[], terms: AmountTerms): Draft {
  const dropped: { hop: Hop; cut: Cut }[] = []
  let left = flows
  // Each round loses a hop at least, so that this ends.
  for (;;) {
    const legs: ConvertLeg[] = []
    const gone = new Set<string>()
    for (const { hop, phase, gives } of amountsOf(left, terms)) {
      const leg = makeConversion(hop, phase, gives, terms)
      if ('code' in leg) {
        dropped.push({ hop, cut: leg })
        gone.add(hop.leg)
      } else legs.push(leg)
    }
    if (gone.size === 0) return { legs: withKeysOfTheirOwn(legs), dropped }
    left = left.filter(({ path }) => !path.some((hop) => gone.has(hop.leg)))
  }
}

/** A market may be used on one side in both phases. */
function withKeysOfTheirOwn(legs: readonly ConvertLeg[]): readonly ConvertLeg[] {
  const taken = new Set<string>()
  return legs.map((leg) => {
    const key = taken.has(leg.key) ? `${leg.key}-2` : leg.key
    taken.add(key)
    return { ...leg, key }
  })
}
