// What keeps assets of a rebalance policy out of a plan before any figure is compared.
import { type NonLeg, NonLegCode } from '../../contract/plan.ts'
import type { RebalancePolicy } from '../../contract/policies.ts'
import type { PlanningContext } from '../planning-context.ts'
import type { Member } from './portfolio.ts'

/** By asset. Those it does not name may be planned with. */
export function findObstacles(
  policy: RebalancePolicy,
  members: readonly Member[],
  context: PlanningContext,
): ReadonlyMap<string, NonLeg> {
  const { snapshot } = context
  const obstacles = new Map<string, NonLeg>()
  const put = (asset: string, code: NonLegCode, reason: string) => obstacles.set(asset, { asset, code, reason })
  for (const asset of policy.leaveAlone) put(asset, NonLegCode.LeftAlone, 'the policy leaves it alone')
  // What is held and has no price could be any part of the total, so that no other target is known either.
  const unpriced = members.find(({ price, holding }) => price === null && holding > 0n)
  const coolMs = coolUntilMs(policy, context)
  for (const { asset, position, price } of members) {
    if (!snapshot.assets.has(asset)) put(asset, NonLegCode.NoMarket, 'the service does not know it')
    else if (price === null) put(asset, NonLegCode.NoPrice, `no market tells its price in ${snapshot.valuationAsset}`)
    else if (position?.inDoubt !== undefined) {
      put(
        asset,
        NonLegCode.InDoubt,
        `intent ${position.inDoubt} is in doubt, so what there is of it may be about to change`,
      )
    } else if (unpriced) {
      put(
        asset,
        NonLegCode.NoPrice,
        `${unpriced.asset} is held and no market tells its price, so the total value is not known`,
      )
    } else if (coolMs !== undefined) {
      put(
        asset,
        NonLegCode.CoolingDown,
        `the policy traded not long ago, and rests until ${new Date(coolMs).toISOString()}`,
      )
    }
  }
  return obstacles
}

function coolUntilMs({ coolDownSeconds }: RebalancePolicy, { snapshot }: PlanningContext): number | undefined {
  if (snapshot.lastTradedAtMs === undefined) return undefined
  const untilMs = snapshot.lastTradedAtMs + coolDownSeconds * 1000
  return untilMs > snapshot.takenAtMs ? untilMs : undefined
}
