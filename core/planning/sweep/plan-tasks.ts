// Plans a run of a policy that sweeps, or converts and withdraws, task by task: each task is planned from what earlier tasks
// left. Pure. The other files of this folder decide what is moved.
import { NonLegCode } from '../../contract/plan.ts'
import type { Policy, WithdrawalTerms } from '../../contract/policies.ts'
import { formatDecimal } from '../../money/decimal.ts'
import type { RequiredPrice, Snapshot } from '../market/snapshot.ts'
import { changesOf, reportPlan, unplannedAsset } from '../plan-report.ts'
import type { Planned } from '../planner.ts'
import { planConversions } from './conversions.ts'
import { createDraft, phasedLegs, type SweepDraft } from './draft.ts'
import { findSurplus, withFloor } from './floors.ts'
import { type SweepTask, selectAssets, taskOf } from './task.ts'
import { tradesOfSweep } from './trades.ts'
import { isObstacle } from './withdrawal-terms.ts'
import { planWithdrawal } from './withdrawals.ts'

/**
 * `name`, `withdrawals`: the policy's. @throws TypeError only for a programming error: a bad figure becomes a non-leg with its
 * reason.
 */
export function planTasks(
  name: string,
  policy: Policy,
  snapshot: Snapshot,
  withdrawals: readonly WithdrawalTerms[],
): Planned {
  const tasks = withdrawals.map(taskOf)
  const draft = createDraft(snapshot, tasks, policy.hubs ?? [], policy.approval !== undefined)
  const touched = new Set<string>()
  if (tasks.some(({ allBut }) => allBut !== undefined))
    for (const [asset, reason] of snapshot.leftOut ?? []) draft.refuse(asset, { code: NonLegCode.NoFacts, reason })
  for (const task of tasks) planTask(draft, task, touched)
  for (const asset of touched) draft.required.push(...draft.valuation.requiredFor(asset))
  const phased = phasedLegs(draft.staged)
  const legs = phased.map((leg) => withFloor(leg, { tasks, legs: phased, codeOf: draft.codeOf }))
  const reported = [...new Set([...touched, ...changesOf(legs).keys()])].sort()
  const positions = reported.map((asset) => unplannedAsset(draft, asset))
  const { nonLegs, guards } = draft
  return {
    plan: reportPlan({
      ...{ name, kind: policy.kind, figures: draft, positions, legs, nonLegs, guards, passing: [] },
      trades: tradesOfSweep(draft, legs),
    }),
    required: distinct(draft.required),
  }
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
    if (isObstacle(surplus)) draft.refuse(asset, surplus)
    else {
      const why = `all above the ${formatDecimal(task.keep.target)} ${asset} that stay`
      planWithdrawal(draft, { task, sum: surplus, why })
    }
  }
}

function unknownAsset(isException: boolean) {
  const reason = 'the service has no such asset: name it by its settled code'
  const consequence = 'an exception that is not known might be held by another name, so nothing is swept'
  return { code: NonLegCode.NothingSpendable, reason: isException ? `${reason}; ${consequence}` : reason }
}

function distinct(prices: readonly RequiredPrice[]): RequiredPrice[] {
  return [...new Map(prices.map((price) => [JSON.stringify(price), price])).values()]
}
