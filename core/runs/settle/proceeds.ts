// What the conversions of a run of a policy that withdraws brought, less what its withdrawals sent of it: by the asset
// and the contact that it was to go to. Nothing counts that is not certain to be there. Pure.
import type { Plan } from '../../contract/plan.ts'
import type { WithdrawingPolicy } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import { type Decimal, greatest, least, minus, parseDecimal, plus, ZERO } from '../../money/decimal.ts'
import { broughtBy } from '../../planning/conversions/replan.ts'
import { floorOfProceeds } from '../../planning/sweep/floors.ts'
import { keyOf, type SweepTask, tasksOf } from '../../planning/sweep/task.ts'
import type { ResidueOwner } from '../../treasury/residue-key.ts'
import type { LegEnd } from './settle-leg.ts'

/** The codes of a policy that has run are settled ones. */
const asSpelled = (code: string) => code

export function proceedsFloor(policy: WithdrawingPolicy, asset: string): Decimal {
  return floorOfProceeds(tasksOf(policy), asset, asSpelled)
}

export function changeOfProceeds(
  policy: WithdrawingPolicy,
  { asset, contactId }: ResidueOwner,
  legs: readonly LegEnd[],
): Decimal {
  const tasks = tasksOf(policy).filter((task) => task.convertInto === asset && task.contactId === contactId)
  return legs.reduce((change, end) => plus(change, changeOfLeg(tasks, asset, end)), ZERO)
}

function changeOfLeg(tasks: readonly SweepTask[], asset: string, { leg, result, moved }: LegEnd): Decimal {
  const isOf = (does: 'convert' | 'canary' | 'withdraw', of: string) =>
    tasks.some((task) => leg.key === keyOf(task, of, does))
  if (leg.kind === IntentKind.Convert) {
    return leg.brings.asset === asset && isOf('convert', leg.gives.asset) ? broughtBy(result.conversion) : ZERO
  }
  if (leg.assetSymbol !== asset || moved === 'nothing') return ZERO
  if (!isOf('withdraw', asset) && !isOf('canary', asset)) return ZERO
  const planned = parseDecimal(leg.total, 'total')
  const told = result.withdrawal?.total
  const gone = told === undefined ? planned : parseDecimal(told, 'total')
  return minus(ZERO, moved === 'unknown' ? greatest(planned, gone) : gone)
}

/** Of what comes, so much was to stay: what the asset lacked of its floor when the run was planned. */
export function refillOf(policy: WithdrawingPolicy, { positions }: Plan, asset: string): Decimal {
  const position = positions.find((one) => one.asset === asset)
  if (position === undefined) return ZERO
  const there = least(parseDecimal(position.spendable, 'spendable'), parseDecimal(position.holding, 'holding'))
  return greatest(ZERO, minus(proceedsFloor(policy, asset), there))
}
