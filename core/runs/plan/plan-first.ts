// Makes the plan of a run that holds its policy, or only tells what it would be, and records which way it goes:
// an end, a wait for a person, or legs of its first phase, frozen.
import { MOST_LEGS, NonLegCode, type Plan } from '../../contract/plan.ts'
import { RunEnd } from '../../contract/runs.ts'
import { Defect } from '../../errors.ts'
import { hashGuards } from '../../guards/frozen-guards.ts'
import { formatDecimal, ZERO } from '../../money/decimal.ts'
import { hashPlan } from '../../planning/plan-hash.ts'
import { boundPlan } from '../approval/approved-legs.ts'
import { approvalReason } from '../approval/unasked.ts'
import type { RunPorts } from '../ports.ts'
import { findFormer } from '../record/newcomer.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import type { RunMove, RunRecord } from '../record/run-record.ts'
import { fallTrip, worthOf } from '../settle/breaker.ts'
import { type End, endRun } from '../settle/end-run.ts'
import { givenUpClaims, plannedResidues } from '../settle/residues.ts'
import { asNonLeg, findAbandoned, strandedOf } from '../settle/stranded.ts'
import type { PricedPlan } from './ask-prices.ts'
import { planWithinDay } from './day-limits.ts'
import { fitPlan } from './fit-plan.ts'
import type { Standing } from './may-run.ts'
import { findWrongNames } from './names.ts'
import { firstPhase } from './phases.ts'
import type { Planning } from './planning.ts'
import { takeSnapshot } from './take-snapshot.ts'

/** Readings of figures that were too old once their prices had come. */
const MOST_READINGS = 2

/**
 * `telling`: nothing is to move; with what stands against it where something does. The service's clock has been
 * measured. @throws Transient, Defect
 */
export async function makePlan(
  run: RunRecord,
  memory: PolicyRecord,
  planning: Planning,
  ports: RunPorts,
  telling?: Standing | 'shadow',
): Promise<RunRecord> {
  const end = (outcome: RunEnd, why?: string): End => ({
    outcome,
    endedAt: nowText(ports),
    ...(why !== undefined && { why }),
  })
  // Entered again and again to no end: past its time another run may have the policy, and settle this one.
  if (ports.service.clock.nowMs() >= Date.parse(run.notAfter)) {
    const why = `its time ran out at ${run.notAfter}, before it had a plan`
    return endRun(run, end(RunEnd.Failed, why), () => ({}), ports)
  }
  const priced = await freshPlan(run, memory, planning, ports)
  if ('tooOld' in priced) return ports.runs.advance(run, end(RunEnd.Guarded, priced.tooOld))
  if ('misnamed' in priced) return endRun(run, end(RunEnd.Failed, priced.misnamed), () => ({}), ports)
  const own = strandedOf(
    run.policy,
    run.asPlanned,
    priced.snapshot.valuationAsset,
    priced.snapshot.stranded ?? new Map(),
  )
  const stranded = [...own, ...(await findAbandoned(run.policy, ports))]
  const plan = fitPlan(withNonLegs(priced.planned.plan, stranded.map(asNonLeg)))
  if (plan.legs.length > MOST_LEGS)
    throw new Defect(`a plan of ${plan.legs.length} legs; at most ${MOST_LEGS} go together`)
  const residues = plannedResidues(priced.snapshot)
  if (telling !== undefined) {
    const guards = telling === 'shadow' ? plan.guards : [...plan.guards, { guard: telling.guard, says: telling.why }]
    return ports.runs.advance(run, { ...end(RunEnd.Shadowed), ...residues, plan: { ...plan, guards } })
  }
  await giveUpClaims(memory, priced, ports)
  const planned = { plan, ...residues }
  const lastValue = worthOf(plan, run.policyHash)
  const remembered = () => (lastValue === undefined ? {} : { lastValue })
  const fall = fallTrip(memory, run, plan)
  if (fall !== undefined) return endRun(run, { ...end(RunEnd.Halted, fall), ...planned }, remembered, ports, fall)
  if (plan.legs.length === 0) {
    const ended = emptyEnd(plan, own[0]?.why, end)
    return endRun(run, { ...ended, ...planned }, remembered, ports)
  }
  const former = await findFormer(run, memory, ports)
  if (former !== undefined) return endRun(run, { ...end(RunEnd.Guarded, former), ...planned }, remembered, ports)
  const asks = approvalReason(run.asPlanned, plan, memory, ports.service.clock.nowMs())
  if (asks !== undefined) return awaitApproval(run, planned, asks, priced, ports)
  const notAfter = notAfterOf(run, plan)
  return ports.runs.advance(run, { ...planned, notAfter, phases: [firstPhase(run.runId, plan)] })
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
  run: RunRecord,
  memory: PolicyRecord,
  planning: Planning,
  ports: RunPorts,
): Promise<PricedPlan | { readonly tooOld: string } | { readonly misnamed: string }> {
  const { policy, asPlanned } = run
  const { service, treasury } = ports
  for (let reading = 1; reading <= MOST_READINGS; reading += 1) {
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

/** Nothing to do; or something, and a guard that lets none of it be. `stranded`: what lies there all the same. */
function emptyEnd(
  { nonLegs, guards }: Plan,
  stranded: string | undefined,
  end: (outcome: RunEnd, why?: string) => End,
): End {
  const guarded = nonLegs.find(({ code }) => code === NonLegCode.Guard)
  if (guarded === undefined) return end(RunEnd.NothingToDo, stranded)
  return end(RunEnd.Guarded, guards[0]?.says ?? guarded.reason)
}

/** The legs are not frozen: what the approval rests on is looked at again before they are. */
function awaitApproval(
  run: RunRecord,
  planned: Pick<RunMove, 'residues'> & { readonly plan: Plan },
  asks: string,
  { snapshot }: PricedPlan,
  { runs, service, treasury }: RunPorts,
): Promise<RunRecord> {
  const { approval } = run.asPlanned
  const plan = fitPlan(boundPlan(planned.plan, approval?.priceBoundBps ?? 0))
  const seconds = approval?.expiresAfterSeconds ?? 0
  const expiresAt = new Date(service.clock.nowMs() + seconds * 1000).toISOString()
  const basis = Object.fromEntries(
    assetsOf(plan).map((asset) => [asset, formatDecimal(snapshot.positions.get(asset)?.spendable ?? ZERO)]),
  )
  const planHash = hashPlan(plan, { policyHash: run.policyHash, guards: treasury.guards })
  return runs.advance(run, {
    ...{ outcome: RunEnd.AwaitingApproval, ...planned, plan, basis, guardsHash: hashGuards(treasury.guards) },
    ...{ why: `${asks}: a person decides until ${expiresAt}`, approval: { planHash, expiresAt } },
  })
}

/** Every asset that a leg gives or brings. */
export function assetsOf({ legs }: Plan): string[] {
  return [...new Set(legs.flatMap((leg) => ('gives' in leg ? [leg.gives.asset, leg.brings.asset] : [leg.assetSymbol])))]
}

/** Nothing of a run is sent later than its life after the figures that it was planned from. */
export function notAfterOf({ asPlanned }: RunRecord, { takenAt }: Pick<Plan, 'takenAt'>): string {
  return new Date(Date.parse(takenAt) + asPlanned.runLifeSeconds * 1000).toISOString()
}

function nowText({ service }: Pick<RunPorts, 'service'>): string {
  return new Date(service.clock.nowMs()).toISOString()
}
