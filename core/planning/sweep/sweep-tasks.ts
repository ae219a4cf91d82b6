// From the tasks of a sweeping policy and a snapshot to its plan: task by task, each from what those before it
// left. Conversions are the first phase, withdrawals and canaries the next, what waits for a canary the last.
import { NonLegCode } from '../../contract/plan.ts'
import type { WithdrawingPolicy } from '../../contract/policies.ts'
import { formatDecimal, parseDecimal } from '../../money/decimal.ts'
import type { RequiredPrice, Snapshot } from '../market/snapshot.ts'
import type { Planned } from '../planner.ts'
import { planConversions } from './conversions.ts'
import { createDraft, phasedLegs, type SweepDraft } from './draft.ts'
import { withFloor } from './floors.ts'
import { sumOf, tellPositions } from './sweep-positions.ts'
import { findSurplus, type SweepTask, selectAssets } from './task.ts'
import { planWithdrawal } from './withdrawals.ts'

export function planTasks(
  name: string,
  policy: WithdrawingPolicy,
  tasks: readonly SweepTask[],
  snapshot: Snapshot,
): Planned {
  const draft = createDraft(snapshot, tasks, policy.hubs ?? [], policy.approval !== undefined)
  const touched = new Set<string>()
  for (const task of tasks) planTask(draft, task, touched)
  for (const asset of touched) draft.required.push(...draft.valuation.requiredFor(asset))
  const staged = phasedLegs(draft.staged)
  const legs = staged.map((leg) => withFloor(leg, { tasks, legs: staged, codeOf: draft.codeOf }))
  const told = tellPositions(touched, legs, snapshot, draft.valuation)
  const plan = {
    policy: name,
    kind: policy.kind,
    takenAt: new Date(snapshot.takenAtMs).toISOString(),
    valuationAsset: snapshot.valuationAsset,
    totalValue: told.totalValue,
    ...(told.unpriced && { unpriced: told.unpriced }),
    turnover: formatDecimal(sumOf(legs.map(({ value }) => parseDecimal(value, 'value')))),
    positions: told.positions,
    legs,
    nonLegs: draft.nonLegs,
    guards: draft.guards,
  }
  return { plan, required: distinct(draft.required) }
}

function planTask(draft: SweepDraft, task: SweepTask, touched: Set<string>): void {
  const { snapshot, codeOf } = draft
  const { assets, unknown } = selectAssets(task, snapshot, codeOf)
  for (const spelling of unknown) draft.refuse(spelling, unknownAsset(task.allBut !== undefined))
  for (const asset of assets) touched.add(asset)
  if (task.convertInto !== undefined) {
    const into = codeOf(task.convertInto)
    if (into === undefined) {
      draft.refuse(task.convertInto, unknownAsset(false))
      return
    }
    touched.add(into)
    planConversions(draft, task, into, assets)
    return
  }
  for (const asset of assets) {
    const surplus = findSurplus(task, asset, snapshot, draft.takenOf(asset))
    if (typeof surplus !== 'bigint') draft.refuse(asset, surplus)
    else
      planWithdrawal(draft, task, asset, surplus, `all above the ${formatDecimal(task.keep.target)} ${asset} that stay`)
  }
}

function unknownAsset(isException: boolean) {
  const reason = 'the service has no such asset: name it by its settled code'
  const consequence = 'an exception that is not known might be held by another name, so nothing is swept'
  return { code: NonLegCode.NothingSpendable, reason: isException ? `${reason}; ${consequence}` : reason }
}

function distinct(required: readonly RequiredPrice[]): RequiredPrice[] {
  return [...new Map(required.map((price) => [JSON.stringify(price), price])).values()]
}
