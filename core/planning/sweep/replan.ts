// Plans the withdrawals of a later phase of a sweep again: from what conversions really brought, what a canary already took,
// and the present balance. A leg to a contact with a canary goes only once the canary has COMPLETED, and only if the contact
// has not changed since. Pure.
import { ConvertEnd, WithdrawEnd } from '../../contract/outcomes.ts'
import { NonLegCode, type Plan, type PlanLeg, type WithdrawLeg } from '../../contract/plan.ts'
import type { WithdrawalTerms } from '../../contract/policies.ts'
import { IntentKind } from '../../contract/records.ts'
import type { SettledLeg } from '../../contract/runs.ts'
import { settledUnits } from '../../money/amount.ts'
import {
  type Decimal,
  formatDecimal,
  greatest,
  least,
  minus,
  parseDecimal,
  plus,
  sumOf,
  ZERO,
} from '../../money/decimal.ts'
import type { Snapshot } from '../market/snapshot.ts'
import type { PhaseToReplan, Replanned } from '../planner.ts'
import { createDraft, reportCut, type SweepDraft } from './draft.ts'
import { availableOf, floorOfLeg, withFloor } from './floors.ts'
import { keyOf, type SweepTask, taskOf } from './task.ts'
import { isObstacle, type Obstacle } from './withdrawal-terms.ts'
import { findDestination, makeLeg, plannedPrice, planSplit } from './withdrawals.ts'

/**
 * `withdrawals`: the policy's. @throws TypeError for a phase with conversions: a sweep converts only in its first phase.
 */
export function replanTasks(
  { plan, phase, snapshot, settled, policy }: PhaseToReplan,
  withdrawals: readonly WithdrawalTerms[],
): Replanned {
  const { hubs = [], approval } = policy
  const tasks = withdrawals.map(taskOf)
  // Any necessary approval is given by now, so values are needed only where a guard counts them.
  const draft = createDraft(snapshot, tasks, hubs, false)
  const legs: WithdrawLeg[] = []
  for (const leg of plan.legs) {
    if (leg.phase !== phase) continue
    if (leg.kind === IntentKind.Convert) throw new TypeError(`phase ${phase} converts: it is not planned again`)
    const task = tasks.find((each) => leg.key === keyOf(each, leg.assetSymbol, leg.isCanary ? 'canary' : 'withdraw'))
    if (task === undefined) throw new TypeError(`the leg ${leg.key} is of no rule of the policy`)
    const replanned = replanLeg(draft, { task, leg, plan, settled, isBound: approval !== undefined })
    if (isObstacle(replanned)) draft.refuse(leg.assetSymbol, replanned)
    else legs.push(withFloor(replanned, { tasks, legs: plan.legs, codeOf: draft.codeOf }))
  }
  return { legs, nonLegs: draft.nonLegs, guards: draft.guards }
}

interface Planned {
  readonly task: SweepTask
  readonly leg: WithdrawLeg
  readonly plan: Plan
  readonly settled: readonly SettledLeg[]
  /** Whether no more may go than was planned: the plan was approved, or compared with a bound on approval. */
  readonly isBound: boolean
}

function replanLeg(draft: SweepDraft, planned: Planned): WithdrawLeg | Obstacle {
  const { task, leg } = planned
  const { assetSymbol: asset } = leg
  const { snapshot, valuation } = draft
  const inDoubt = snapshot.positions.get(asset)?.inDoubt
  if (inDoubt !== undefined) {
    return { code: NonLegCode.InDoubt, reason: `${asset} is left until it is known what became of ${inDoubt}` }
  }
  const waits = findCanaryObstacle(planned) ?? findChangedContact(planned, snapshot)
  if (waits) return waits
  // A canary of this phase goes whatever its contact's proof; for the rest, the canary has just arrived.
  const target = findDestination(
    draft,
    { ...task, canary: false },
    asset,
    valuation.priceOf(asset) ?? plannedPrice(leg),
  )
  if (isObstacle(target)) return target
  const destination = { ...target, isCanaryDue: leg.isCanary }
  const goal = goalOf(planned)
  const sum = least(goal, aboveFloors(draft, planned))
  if (sum <= 0n) return { code: NonLegCode.NothingSpendable, reason: `nothing of ${asset} came, or what came is gone` }
  const result = planSplit(draft, destination, sum)
  if (isObstacle(result)) return result
  const { split, cut } = result
  if (cut) reportCut(draft, { key: leg.key, planned: settledUnits(asset, sum), allowance: cut })
  const withdrawal = split.canary ?? split.rest
  if (planned.isBound && withdrawal.total > parseDecimal(leg.total, 'total')) {
    const reason = `${formatDecimal(withdrawal.total)} ${asset} is more than the ${leg.total} that were planned, and approval is asked for by the plan`
    return { code: NonLegCode.Guard, reason }
  }
  draft.take(asset, withdrawal.total)
  draft.limits.take(destination.move, withdrawal.total)
  const { isCanary, phase } = leg
  const reason = formatDecimal(withdrawal.total) === leg.total ? leg.reason : `${leg.reason}; ${leg.total} was planned`
  return { ...makeLeg(destination, { withdrawal, reason, isCanary }), phase }
}

function findCanaryObstacle({ leg, plan, settled }: Planned): Obstacle | undefined {
  const canary = canaryAheadOf(leg, plan)
  if (canary === undefined) return undefined
  const outcome = settled.find((each) => each.leg.key === canary.key)?.outcome
  if (outcome === WithdrawEnd.Completed) return undefined
  const reason = `the canary ${canary.key} has not COMPLETED: ${outcome ?? 'it was not sent'}`
  return { code: NonLegCode.AwaitsCanary, reason }
}

/** An obstacle where the contact differs from the contact that the canary, or an earlier run, has proven. */
function findChangedContact({ task, leg, plan, settled }: Planned, { contacts }: Snapshot): Obstacle | undefined {
  const canary = canaryAheadOf(leg, plan)
  const contact = contacts.get(leg.contactId)
  if (leg.isCanary || contact === undefined || (canary === undefined && !task.canary)) return undefined
  // The canary's leg as it was sent counts: it may have been planned again itself.
  const proving = canary === undefined ? leg : settled.find((each) => each.leg.key === canary.key)?.leg
  const provenAt = proving !== undefined && 'payee' in proving ? proving.payee?.updatedAt : undefined
  if (contact.payee.updatedAt === provenAt) return undefined
  const reason = `the contact has changed since ${(canary ?? leg).key} was planned: the next run sends a canary first`
  return { code: NonLegCode.AwaitsCanary, reason }
}

function canaryAheadOf({ contactId, phase }: WithdrawLeg, { legs }: Plan): PlanLeg | undefined {
  const canary = legs.find((each) => 'isCanary' in each && each.isCanary && each.contactId === contactId)
  return canary !== undefined && canary.phase < phase ? canary : undefined
}

/**
 * Amount of the asset that this task still has to send: the planned amount, corrected by what conversions brought, less what
 * was sent.
 */
function goalOf({ task, leg, plan, settled, isBound }: Planned): Decimal {
  const { assetSymbol: asset } = leg
  const isOwn = (key: string, purpose: 'canary' | 'withdraw') => key === keyOf(task, asset, purpose)
  const totals = plan.legs.flatMap((each) =>
    each.kind === IntentKind.Withdraw && (isOwn(each.key, 'canary') || isOwn(each.key, 'withdraw'))
      ? [parseDecimal(each.total, 'total')]
      : [],
  )
  const conversions = plan.legs.flatMap((each) =>
    each.kind === IntentKind.Convert && each.key === keyOf(task, each.gives.asset, 'convert') ? [each] : [],
  )
  const isInto = conversions.some(({ brings }) => brings.asset === asset)
  const expected = isInto ? sumOf(conversions.map(({ brings }) => parseDecimal(brings.amount, 'brings'))) : ZERO
  const brought = isInto
    ? sumOf(conversions.map(({ key }) => fillsOf(settled.find((each) => each.leg.key === key))))
    : ZERO
  const sent = settled.filter((each) => isOwn(each.leg.key, 'canary') || isOwn(each.leg.key, 'withdraw')).map(goneBy)
  const change = minus(brought, expected)
  return minus(plus(sumOf(totals), isBound ? least(change, ZERO) : change), sumOf(sent))
}

/** Units that the fills of a conversion brought so far; an order may fill in part and then fail. */
function fillsOf(settledLeg: SettledLeg | undefined): Decimal {
  if (settledLeg === undefined || settledLeg.leg.kind !== IntentKind.Convert || settledLeg.conversion === undefined)
    return ZERO
  const { baseAmount, quoteAmount, outcome } = settledLeg.conversion
  if (outcome === ConvertEnd.NeedsAttention) return ZERO
  return parseDecimal((settledLeg.leg.request.side === 'SELL' ? quoteAmount : baseAmount) ?? '0', 'brought')
}

/** Outcomes after which nothing has left the account, or all of it has come back. */
const ZERO_ENDS: ReadonlySet<string> = new Set([
  WithdrawEnd.Rejected,
  WithdrawEnd.Exhausted,
  WithdrawEnd.FailedRefunded,
  WithdrawEnd.OwnFault,
])

function goneBy({ leg, outcome, withdrawal }: SettledLeg): Decimal {
  if (leg.kind !== IntentKind.Withdraw || ZERO_ENDS.has(outcome)) return ZERO
  return parseDecimal(withdrawal?.total ?? leg.total, 'total')
}

/** The balance above the floor: a later rule may have taken its part already, below the floor of this rule. */
function aboveFloors({ snapshot, tasks, codeOf, takenOf }: SweepDraft, { leg, plan }: Planned): Decimal {
  const floor = floorOfLeg(leg, { tasks, legs: plan.legs, codeOf })
  return greatest(minus(availableOf(snapshot, leg.assetSymbol, takenOf(leg.assetSymbol)), floor), ZERO)
}
