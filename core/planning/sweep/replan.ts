// Withdrawals of a later phase of a sweep, planned again: from what conversions really brought, what a canary already took,
// and what is there now. A leg to a contact with a canary goes only once that canary has COMPLETED, and to the contact as
// the canary found it.
import { ConvertEnd, WithdrawEnd } from '../../contract/outcomes.ts'
import { NonLegCode, type Plan, type PlanLeg, type WithdrawLeg } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import type { SettledLeg } from '../../contract/runs.ts'
import { settledUnits } from '../../money/amount.ts'
import {
  type Decimal,
  divide,
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
import { keyOf, type SweepTask, tasksOf } from './task.ts'
import { isObstacle, type Obstacle } from './withdrawal-terms.ts'
import { findDestination, makeLeg, planSplit } from './withdrawals.ts'

/** @throws TypeError for a phase of conversions: a sweep has these in its first phase only. */
export function replanTasks({ plan, phase, snapshot, settled, policy }: PhaseToReplan): Replanned {
  const { hubs = [], approval } = policy
  const tasks = tasksOf(policy)
  // A person has approved, if one had to: what a guard counts by value is left to `needsPrice`.
  const draft = createDraft(snapshot, tasks, hubs, false)
  const legs: WithdrawLeg[] = []
  for (const leg of plan.legs) {
    if (leg.phase !== phase) continue
    if (leg.kind === IntentKind.Convert) throw new TypeError(`phase ${phase} converts: it is not planned again`)
    const task = tasks.find((each) => ownsLeg(each, leg))
    if (task === undefined) throw new TypeError(`the leg ${leg.key} is of no rule of the policy`)
    const made = replanLeg(draft, { task, leg, plan, settled, isBound: approval !== undefined })
    if (isObstacle(made)) draft.refuse(leg.assetSymbol, made)
    else legs.push(withFloor(made, { tasks, legs: plan.legs, codeOf: draft.codeOf }))
  }
  return { legs, nonLegs: draft.nonLegs, guards: draft.guards }
}

interface Planned {
  readonly task: SweepTask
  readonly leg: WithdrawLeg
  readonly plan: Plan
  readonly settled: readonly SettledLeg[]
  /** Not more than was planned: that is what was approved, or what the bound on approval was held against. */
  readonly isBound: boolean
}

function ownsLeg(task: SweepTask, { key, assetSymbol, isCanary }: WithdrawLeg): boolean {
  return key === keyOf(task, assetSymbol, isCanary ? 'canary' : 'withdraw')
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
  // The canary of this phase is due however its contact stands; the rest has just seen its canary arrive.
  const found = findDestination(draft, { ...task, canary: false }, asset, valuation.priceOf(asset) ?? plannedPrice(leg))
  if (isObstacle(found)) return found
  const destination = { ...found, isCanaryDue: leg.isCanary }
  const goal = goalOf(planned)
  const sum = least(goal, aboveFloors(draft, planned))
  if (sum <= 0n) return { code: NonLegCode.NothingSpendable, reason: `nothing of ${asset} came, or what came is gone` }
  const made = planSplit(draft, destination, sum)
  if (isObstacle(made)) return made
  const { split, cut } = made
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

/** Where no market tells any more, what the plan counted with; none, where it had none either. */
function plannedPrice({ value, total }: WithdrawLeg): Decimal | null {
  const worth = parseDecimal(value, 'value')
  return worth === 0n ? null : divide(worth, parseDecimal(total, 'total'), 'up')
}

function findCanaryObstacle({ leg, plan, settled }: Planned): Obstacle | undefined {
  const canary = canaryAheadOf(leg, plan)
  if (canary === undefined) return undefined
  const outcome = settled.find((each) => each.leg.key === canary.key)?.outcome
  if (outcome === WithdrawEnd.Completed) return undefined
  const reason = `the canary ${canary.key} has not COMPLETED: ${outcome ?? 'it was not sent'}`
  return { code: NonLegCode.AwaitsCanary, reason }
}

/** What the canary has proven, or an earlier run had: another place may be behind the same id by now. */
function findChangedContact({ task, leg, plan, settled }: Planned, { contacts }: Snapshot): Obstacle | undefined {
  const canary = canaryAheadOf(leg, plan)
  const contact = contacts.get(leg.contactId)
  if (leg.isCanary || contact === undefined || (canary === undefined && !task.canary)) return undefined
  // Of the canary as it was sent: it may have been planned again itself.
  const proving = canary === undefined ? leg : settled.find((each) => each.leg.key === canary.key)?.leg
  const then = proving !== undefined && 'payee' in proving ? proving.payee?.updatedAt : undefined
  if (contact.payee.updatedAt === then) return undefined
  const reason = `the contact has changed since ${(canary ?? leg).key} was planned: the next run sends a canary first`
  return { code: NonLegCode.AwaitsCanary, reason }
}

function canaryAheadOf({ contactId, phase }: WithdrawLeg, { legs }: Plan): PlanLeg | undefined {
  const canary = legs.find((each) => 'isCanary' in each && each.isCanary && each.contactId === contactId)
  return canary !== undefined && canary.phase < phase ? canary : undefined
}

/** What is still to go of the asset by this task: as planned, corrected by what conversions brought, less what went. */
function goalOf({ task, leg, plan, settled, isBound }: Planned): Decimal {
  const { assetSymbol: asset } = leg
  const isOwn = (key: string, purpose: 'canary' | 'withdraw') => key === keyOf(task, asset, purpose)
  const all = plan.legs.flatMap((each) =>
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
    ? sumOf(conversions.map(({ key }) => fillsOf(settled.find((one) => one.leg.key === key))))
    : ZERO
  const gone = settled.filter((one) => isOwn(one.leg.key, 'canary') || isOwn(one.leg.key, 'withdraw')).map(goneBy)
  const change = minus(brought, expected)
  return minus(plus(sumOf(all), isBound ? least(change, ZERO) : change), sumOf(gone))
}

/** What the fills of a conversion brought so far; an order may be filled in part and then fail. */
function fillsOf(one: SettledLeg | undefined): Decimal {
  if (one === undefined || one.leg.kind !== IntentKind.Convert || one.conversion === undefined) return ZERO
  const { baseAmount, quoteAmount, outcome } = one.conversion
  if (outcome === ConvertEnd.NeedsAttention) return ZERO
  return parseDecimal((one.leg.request.side === 'SELL' ? quoteAmount : baseAmount) ?? '0', 'brought')
}

/** Ends at which nothing has left the account, or all of it has come back. */
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

/** Above what stays: a later rule may have taken its part already, below the floor of this one. */
function aboveFloors({ snapshot, tasks, codeOf, takenOf }: SweepDraft, { leg, plan }: Planned): Decimal {
  const floor = floorOfLeg(leg, { tasks, legs: plan.legs, codeOf })
  return greatest(minus(availableOf(snapshot, leg.assetSymbol, takenOf(leg.assetSymbol)), floor), ZERO)
}
