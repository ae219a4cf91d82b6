// Why each leg of a rebalance, and why not for each asset that has none or too little of one. In words.
import { type ConvertLeg, type GuardSaying, type NonLeg, NonLegCode } from '../../contract/plan.ts'
import type { PlanningContext } from '../planning-context.ts'
import { told } from '../told.ts'
import { type Member, sizeOf } from './portfolio.ts'
import type { Outcome } from './rounds.ts'

interface ReasonTerms extends Outcome {
  readonly context: PlanningContext
  readonly members: readonly Member[]
  readonly byAsset: ReadonlyMap<string, Member>
  readonly obstacles: ReadonlyMap<string, NonLeg>
}

export function explainLegs({ legs, byAsset, context }: ReasonTerms): ConvertLeg[] {
  const tell = (asset: string, isTaking: boolean): string => {
    const member = byAsset.get(asset)
    if (!member || (member.isPassing && isTaking)) return `${asset} is on the way`
    if (member.isPassing) return `earlier runs left ${told(member.holding, asset)} on its way`
    const { target, drift } = member.before
    if (target === undefined) return `${asset} takes the rest`
    const size = told(sizeOf(member.before), context.snapshot.valuationAsset)
    const side = drift < 0n ? 'below' : 'above'
    return `${asset} is ${size} ${side} its target of ${told(target, context.snapshot.valuationAsset)}`
  }
  return legs.map((leg) => {
    const from = leg.phase === 1 ? tell(leg.gives.asset, false) : `with ${leg.gives.asset} that the first phase brings`
    return { ...leg, reason: `${from}; ${tell(leg.brings.asset, true)}` }
  })
}

export function explainRest(terms: ReasonTerms): { nonLegs: NonLeg[]; guards: GuardSaying[] } {
  const { legs, members, byAsset, obstacles, cuts } = terms
  const legOf = new Map<string, string>()
  for (const { gives, brings, key } of legs) {
    for (const { asset } of [gives, brings]) if (!legOf.has(asset)) legOf.set(asset, key)
  }
  const nonLegs = [...obstacles.values()].filter(({ asset }) => !byAsset.has(asset))
  for (const member of members) {
    const not = obstacles.get(member.asset) ?? explain(member, legOf, terms)
    if (not) nonLegs.push(not)
  }
  const guards: GuardSaying[] = []
  for (const [asset, { guard, says }] of cuts) {
    if (guard === undefined) continue
    const leg = legOf.get(asset)
    guards.push({ guard, ...(leg === undefined ? {} : { leg }), says: `${asset}: ${says}` })
  }
  for (const { asset, code, reason } of nonLegs) {
    if (code === NonLegCode.Guard && !cuts.has(asset))
      guards.push({ guard: 'allowedMarkets', says: `${asset}: ${reason}` })
  }
  return { nonLegs, guards }
}

function explain(member: Member, legOf: ReadonlyMap<string, string>, terms: ReasonTerms): NonLeg | undefined {
  const { asset, before } = member
  const { driftAfter, cuts, unworthy, exhausted } = terms
  const { valuationAsset } = terms.context.snapshot
  const after = driftAfter(member)
  const not = (code: NonLegCode, reason: string): NonLeg => ({ asset, code, reason })
  if (!after.isOutside) {
    if (legOf.has(asset)) return undefined
    if (after.target === undefined) return not(NonLegCode.WithinBand, 'it takes the rest')
    const side = before.drift < 0n ? 'below' : 'above'
    const size = told(sizeOf(before), valuationAsset)
    return not(
      NonLegCode.WithinBand,
      `it is ${size} ${side} its target, and up to ${told(before.band, valuationAsset)} is let be`,
    )
  }
  const cut = cuts.get(asset)
  if (cut) return not(cut.code, cut.says)
  const worth = unworthy.get(asset)
  // A price that was not asked for, because nothing more may be traded anyway, is not what stands against it.
  if (exhausted && (!worth || worth.code === NonLegCode.NoPrice)) return not(exhausted.code, exhausted.says)
  if (worth) return worth
  return after.drift > 0n
    ? not(
        NonLegCode.NoCounterpart,
        `${told(sizeOf(after), valuationAsset)} too much is left: nothing that it could be converted into lacks as much`,
      )
    : not(
        NonLegCode.NothingSpendable,
        `${told(sizeOf(after), valuationAsset)} is still missing: nothing that could be given for it is too much`,
      )
}
