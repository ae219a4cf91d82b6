// Makes the plan of a run that holds its policy, or of a shadow run. Then it records the way of the run: an end, a wait for a
// person, or the frozen legs of its first phase. It sends nothing.
import { MOST_LEGS, MOST_LEGS_WITH_ROWS, NonLegCode, type Plan } from '../../contract/plan.ts'
import { RunEnd } from '../../contract/runs.ts'
import { Defect } from '../../errors.ts'
import { approvalReason, awaitApproval, countedReason } from '../approval/ask.ts'
import type { RunPorts } from '../ports.ts'
import { distancesOf } from '../record/distances.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import type { RunRecord } from '../record/run-record.ts'
import { trimPlan } from '../record/trimming.ts'
import { abandonedByItself, asNonLeg, findAbandoned } from '../settle/abandoned-balances.ts'
import { fallTrip, worthOf } from '../settle/breaker.ts'
import { type End, endRun } from '../settle/end-run.ts'
import { givenUpClaims, plannedBalances } from '../settle/stranded-balances.ts'
import type { Planning } from './answers.ts'
import { findWrongNames, type Obstacle } from './obstacle.ts'
import { firstPhase } from './phases.ts'
import { type PricedPlan, planWithinDay } from './price-plan.ts'
import { type Payees, readPayees, TooSlow } from './read-payees.ts'
import { findFormer } from './renamed-policy.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { findUnreached, unreachedText } from './unreached.ts'

/** Times that figures are read: once more if they were too old after the prices had come. */
const MOST_READS = 2

interface PlanMaking {
  readonly run: RunRecord
  readonly memory: PolicyRecord
  readonly planning: Planning
  /** For a run that moves nothing: its plan is only recorded, with the obstacle that it has met. */
  readonly shadow?: { readonly obstacle: Obstacle | undefined }
}

/** Needs a measured clock, and a run that holds its policy or is a shadow run. @throws Transient, Defect */
export async function makePlan(making: PlanMaking, ports: RunPorts): Promise<RunRecord> {
  const { run, memory, shadow } = making
  const end = (outcome: RunEnd, why?: string): End => ({
    outcome,
    endedAt: new Date(ports.service.clock.nowMs()).toISOString(),
    ...(why !== undefined && { why }),
  })
  // A run may be entered again for ever. Past its time another run may hold the policy, and settle this run.
  if (ports.service.clock.nowMs() >= Date.parse(run.notAfter)) {
    const why = `its time ran out at ${run.notAfter}, before it had a plan`
    return endRun({ run, end: end(RunEnd.Failed, why) }, ports)
  }
  const priced = await freshPlan(making, ports)
  if ('tooOld' in priced) return ports.runs.advance(run, end(RunEnd.Guarded, priced.tooOld))
  if ('misnamed' in priced) return endRun({ run, end: end(RunEnd.Failed, priced.misnamed) }, ports)
  const { valuationAsset, stranded: claimed = new Map() } = priced.snapshot
  const own = abandonedByItself(run.policy, run.asPlanned, valuationAsset, claimed)
  const abandoned = [...own, ...(await findAbandoned(run.policy, ports))]
  const whole = withNonLegs(priced.planned.plan, abandoned.map(asNonLeg))
  const unreached = findUnreached(whole, run.asPlanned)
  const plan = trimPlan(unreached === undefined ? whole : { ...whole, unreached })
  const most = priced.snapshot.payments === undefined ? MOST_LEGS : MOST_LEGS_WITH_ROWS
  if (plan.legs.length > most) throw new Defect(`a plan of ${plan.legs.length} legs; at most ${most} go together`)
  const { residues } = plannedBalances(priced.snapshot)
  if (shadow !== undefined) {
    const { obstacle } = shadow
    const guards = obstacle ? [...plan.guards, { guard: obstacle.guard, says: obstacle.why }] : plan.guards
    return ports.runs.advance(run, { ...end(RunEnd.Shadowed), residues, plan: { ...plan, guards } })
  }
  await giveUpClaims(memory, priced, ports)
  const planned = { plan, residues }
  const lastValue = worthOf(plan, run.policyHash)
  const remembered = () => (lastValue === undefined ? {} : { lastValue })
  const fall = fallTrip(memory, run, plan)
  if (fall !== undefined)
    return endRun({ run, end: { ...end(RunEnd.Halted, fall), ...planned }, remembered, halting: fall }, ports)
  if (plan.legs.length === 0) {
    const ended = emptyEnd(plan, own[0]?.why, end)
    const reached = {
      total: plan.totalValue,
      values: Object.fromEntries(plan.positions.map(({ asset, value }) => [asset, value])),
    }
    const distances = distancesOf(plan, run.asPlanned, reached)
    return endRun({ run, end: { ...ended, ...planned, ...(distances && { distances }) }, remembered }, ports)
  }
  const former = await findFormer(run, memory, ports)
  if (former !== undefined)
    return endRun({ run, end: { ...end(RunEnd.Guarded, former), ...planned }, remembered }, ports)
  const reason =
    approvalReason(run.asPlanned, plan, memory, ports.service.clock.nowMs()) ??
    (await countedReason(run, plan, priced.snapshot, ports))
  if (reason !== undefined) return awaitApproval({ run, ...planned, reason, snapshot: priced.snapshot }, ports)
  const notAfter = notAfterOf(run, plan)
  return ports.runs.advance(run, { ...planned, notAfter, phases: [firstPhase(run.runId, plan)] })
}

/**
 * The record is written before the plan counts on balances. So an amount that left a hub stays gone, even if others put more
 * there.
 */
async function giveUpClaims(memory: PolicyRecord, { snapshot }: PricedPlan, { policies }: RunPorts): Promise<void> {
  const move = givenUpClaims(memory, snapshot)
  if (move !== undefined) await policies.advance(memory, move)
}

/** A plan on fresh figures. `tooOld`: making it took too long. `misnamed`: the service lacks names that it needs. */
async function freshPlan(
  { run, memory, planning }: PlanMaking,
  ports: RunPorts,
): Promise<PricedPlan | { readonly tooOld: string } | { readonly misnamed: string }> {
  const { policy, asPlanned } = run
  const { service, treasury } = ports
  let payees: Payees
  try {
    payees = await readPayees(asPlanned, memory, ports)
  } catch (error) {
    // A retry would take as long, and the run would only end with a time-out.
    if (error instanceof TooSlow) return { tooOld: error.message }
    throw error
  }
  for (let reads = 1; reads <= MOST_READS; reads += 1) {
    const taken = await takeSnapshot(run, memory, payees, ports)
    const misnamed = await findWrongNames(run, taken, ports)
    if (misnamed !== undefined) return { misnamed }
    const priced = await planWithinDay((snapshot) => planning.plan(policy, asPlanned, snapshot), taken, service)
    if (service.clock.nowMs() - taken.snapshot.takenAtMs <= treasury.guards.snapshotSeconds * 1000) return priced
  }
  return { tooOld: `reading the figures took longer than ${treasury.guards.snapshotSeconds} s, twice` }
}

/** Puts these reasons first: the record keeps only the first of a long list. */
function withNonLegs(plan: Plan, more: Plan['nonLegs']): Plan {
  return more.length === 0 ? plan : { ...plan, nonLegs: [...more, ...plan.nonLegs] }
}

/**
 * The end of a run without legs: OFF_TARGET, NOTHING_TO_DO, or GUARDED where a guard stops it. `abandoned`: text on balances
 * that stay behind.
 */
function emptyEnd(plan: Plan, abandoned: string | undefined, end: (outcome: RunEnd, why?: string) => End): End {
  const { nonLegs, guards, unreached } = plan
  if (unreached !== undefined) return end(RunEnd.OffTarget, unreachedText(unreached, plan))
  const guarded = nonLegs.find(({ code }) => code === NonLegCode.Guard)
  const unknown = nonLegs.find(({ code }) => code === NonLegCode.NoFacts)
  if (guarded === undefined) return end(RunEnd.NothingToDo, abandoned ?? unknown?.reason)
  return end(RunEnd.Guarded, guards[0]?.says ?? guarded.reason)
}

/** ISO-8601: the run sends nothing later than its life after the figures of its plan. */
export function notAfterOf({ asPlanned }: RunRecord, { takenAt }: Pick<Plan, 'takenAt'>): string {
  return new Date(Date.parse(takenAt) + asPlanned.runLifeSeconds * 1000).toISOString()
}
