// Makes the plan of a run that holds its policy, or of a shadow, and records which way the run goes: an end, a wait for a
// person, or legs of its first phase, frozen.
import { MOST_LEGS, NonLegCode, type Plan } from '../../contract/plan.ts'
import { RunEnd } from '../../contract/runs.ts'
import { Defect } from '../../errors.ts'
import { approvalReason, awaitApproval } from '../approval/ask.ts'
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
import { findFormer } from './renamed-policy.ts'
import { takeSnapshot } from './take-snapshot.ts'
import { findUnreached, unreachedText } from './unreached.ts'

/** Times that figures are read which were too old once their prices had come. */
const MOST_READS = 2

export interface PlanMaking {
  readonly run: RunRecord
  readonly memory: PolicyRecord
  readonly planning: Planning
  /** Nothing is to move: the plan is only recorded, with the obstacle that is in its way. */
  readonly shadow?: { readonly obstacle: Obstacle | undefined }
}

/** The run holds its policy, unless it is a shadow. The service's clock has been measured. @throws Transient, Defect */
export async function makePlan(making: PlanMaking, ports: RunPorts): Promise<RunRecord> {
  const { run, memory, shadow } = making
  const end = (outcome: RunEnd, why?: string): End => ({
    outcome,
    endedAt: nowText(ports),
    ...(why !== undefined && { why }),
  })
  // Entered again and again to no end: past its time another run may have the policy, and settle this one.
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
  if (plan.legs.length > MOST_LEGS)
    throw new Defect(`a plan of ${plan.legs.length} legs; at most ${MOST_LEGS} go together`)
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
    const reached = { total: plan.totalValue, values: valuesOf(plan) }
    const distances = distancesOf(plan, run.asPlanned, reached)
    return endRun({ run, end: { ...ended, ...planned, ...(distances && { distances }) }, remembered }, ports)
  }
  const former = await findFormer(run, memory, ports)
  if (former !== undefined)
    return endRun({ run, end: { ...end(RunEnd.Guarded, former), ...planned }, remembered }, ports)
  const reason = approvalReason(run.asPlanned, plan, memory, ports.service.clock.nowMs())
  if (reason !== undefined) return awaitApproval({ run, ...planned, reason, snapshot: priced.snapshot }, ports)
  const notAfter = notAfterOf(run, plan)
  return ports.runs.advance(run, { ...planned, notAfter, phases: [firstPhase(run.runId, plan)] })
}

function valuesOf({ positions }: Plan): Record<string, string> {
  return Object.fromEntries(positions.map(({ asset, value }) => [asset, value]))
}

/** Before anything is counted on: what is gone from a hub is not taken again when others put more there. */
async function giveUpClaims(
  memory: PolicyRecord,
  { snapshot }: PricedPlan,
  { policies }: Pick<RunPorts, 'policies'>,
): Promise<void> {
  const move = givenUpClaims(memory, snapshot)
  if (move !== undefined) await policies.advance(memory, move)
}

/** Or why there is none: the figures were too old by the time that it was made, or it would leave assets out. */
async function freshPlan(
  { run, memory, planning }: PlanMaking,
  ports: RunPorts,
): Promise<PricedPlan | { readonly tooOld: string } | { readonly misnamed: string }> {
  const { policy, asPlanned } = run
  const { service, treasury } = ports
  for (let reads = 1; reads <= MOST_READS; reads += 1) {
    const taken = await takeSnapshot(policy, asPlanned, memory, ports)
    const misnamed = await findWrongNames(run, taken, ports)
    if (misnamed !== undefined) return { misnamed }
    const priced = await planWithinDay((snapshot) => planning.plan(policy, asPlanned, snapshot), taken, service)
    if (service.clock.nowMs() - taken.snapshot.takenAtMs <= treasury.guards.snapshotSeconds * 1000) return priced
  }
  return { tooOld: `reading the figures took longer than ${treasury.guards.snapshotSeconds} s, twice` }
}

/** Ahead of the others: of a long list, the record keeps the first. */
function withNonLegs(plan: Plan, more: Plan['nonLegs']): Plan {
  return more.length === 0 ? plan : { ...plan, nonLegs: [...more, ...plan.nonLegs] }
}

/** Nothing to do; or something that the plan lacks; or something, and a guard that lets none of it be. `abandoned`: what lies there all the same. */
function emptyEnd(plan: Plan, abandoned: string | undefined, end: (outcome: RunEnd, why?: string) => End): End {
  const { nonLegs, guards, unreached } = plan
  if (unreached !== undefined) return end(RunEnd.OffTarget, unreachedText(unreached, plan))
  const guarded = nonLegs.find(({ code }) => code === NonLegCode.Guard)
  if (guarded === undefined) return end(RunEnd.NothingToDo, abandoned)
  return end(RunEnd.Guarded, guards[0]?.says ?? guarded.reason)
}

/** Nothing of a run is sent later than its life after the figures that it was planned from. */
export function notAfterOf({ asPlanned }: RunRecord, { takenAt }: Pick<Plan, 'takenAt'>): string {
  return new Date(Date.parse(takenAt) + asPlanned.runLifeSeconds * 1000).toISOString()
}

function nowText({ service }: Pick<RunPorts, 'service'>): string {
  return new Date(service.clock.nowMs()).toISOString()
}
