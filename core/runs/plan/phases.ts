// Freezes the legs of a run phase by phase, each phase once and before it is answered. The first phase is frozen as planned.
// Later phases are planned again from what the earlier ones brought. An empty phase is frozen too.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import type { Plan, PlanLeg } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import type { PlanOutput, SettledLeg } from '../../contract/runs.ts'
import { Defect, Transient } from '../../errors.ts'
import { hashParams } from '../../params-hash.ts'
import type { Snapshot } from '../../planning/market/snapshot.ts'
import type { Replanned } from '../../planning/planner.ts'
import { boundAsApproved } from '../approval/ask.ts'
import type { RunPorts } from '../ports.ts'
import {
  type FrozenLeg,
  type FrozenPhase,
  findPhase,
  frozenLegs,
  isAtEnd,
  legIntentId,
  legOf,
  type RunRecord,
} from '../record/run-record.ts'
import { trimLegs, trimPlan } from '../record/trimming.ts'
import { readFrozenLeg } from '../settle/settle-leg.ts'
import { type Entry, legsAnswer, type Planning, partsOf, settleAnswer } from './answers.ts'
import { isBoundByDay, planWithPrices, priceOfLeg, withPrices } from './price-plan.ts'
import { readPayees } from './read-payees.ts'
import { type TakenSnapshot, takeSnapshot } from './take-snapshot.ts'

export function firstPhase(runId: string, plan: Plan): FrozenPhase {
  const phase = Math.min(...plan.legs.map((leg) => leg.phase))
  const legs = plan.legs.filter((leg) => leg.phase === phase)
  return { phase, legs: legs.map((leg) => ({ key: leg.key, intentId: legIntentId(runId, leg) })) }
}

/**
 * Answers the legs of the requested phase, or of the next phase with legs. Where no phase has legs, answers SETTLE. A second
 * call gives the same answer. `run` has a plan.
 * @throws Transient, Defect
 */
export async function answerPhase(
  run: RunRecord,
  { phase: requestedPhase, part: requestedPart, entry, planning }: Entry,
  ports: RunPorts,
): Promise<PlanOutput> {
  const last = Math.max(...planOf(run).legs.map(({ phase }) => phase))
  const first = Math.min(...run.phases.map(({ phase }) => phase))
  let current = run
  for (let phase = Math.max(requestedPhase, first); phase <= last; phase += 1) {
    // A run that has ended freezes nothing more.
    if (!findPhase(current, phase) && isAtEnd(current)) break
    if (!findPhase(current, phase)) current = await freezeLater(current, phase, planning, ports)
    const frozen = findPhase(current, phase)
    if (frozen === undefined || frozen.legs.length === 0) continue
    const parts = partsOf(current, frozen, { entry, planning })
    const part = phase === requestedPhase ? requestedPart : 1
    const answered = parts[part - 1]
    if (answered === undefined) continue
    const legs = frozen.legs.map((leg) => legOf(current, leg))
    const place = { phase, part, parts: parts.length }
    return legsAnswer(current, answered, place, planning.stepOf(legs, phase === last))
  }
  return settleAnswer(run, requestedPhase)
}

async function freezeLater(run: RunRecord, phase: number, planning: Planning, ports: RunPorts): Promise<RunRecord> {
  await ports.service.clock.measure()
  const replanned = await replanInTime(run, phase, planning, ports)
  const plan = planOf(run)
  const anew = replanned.legs.map((leg) => boundAsApproved({ ...leg, phase }, plan))
  const trimmed = trimLegs(anew)
  const legs = anew.map((leg, index) => frozenLeg(run, plan, leg, trimmed[index] ?? leg))
  assertNew(run, legs)
  const nonLegs = [...plan.nonLegs, ...replanned.nonLegs]
  const guards = [...plan.guards, ...(replanned.guards ?? [])]
  return ports.runs.advance(run, {
    plan: trimPlan({ ...plan, nonLegs, guards }),
    phases: [...run.phases, { phase, legs }],
  })
}

/**
 * No legs, with a reason in `guards`, where the run's time is over. Figures that are too old after all reads are a Transient
 * fault: what earlier phases moved deserves another try.
 * @throws Transient, Defect
 */
async function replanInTime(run: RunRecord, phase: number, planning: Planning, ports: RunPorts): Promise<Replanned> {
  const { clock } = ports.service
  const nothing = (message: string) => ({ legs: [], nonLegs: [], guards: [{ guard: 'run', says: message }] })
  if (clock.nowMs() >= Date.parse(run.notAfter)) {
    return nothing(`phase ${phase} was not begun: the run's time ran out at ${run.notAfter}`)
  }
  const settled = await settledLegs(run, ports)
  const { snapshot, settledLimits } = await priced(run, phase, planning, ports)
  const terms = { plan: planOf(run), phase, settled, policy: run.asPlanned }
  const replan = (figures: Snapshot) => planning.replan({ ...terms, snapshot: figures })
  const isBound = isBoundByDay(replan, snapshot)
  const replanned = replan(isBound ? { ...snapshot, limits: await settledLimits() } : snapshot)
  const { snapshotSeconds } = ports.treasury.guards
  if (clock.nowMs() - snapshot.takenAtMs > snapshotSeconds * 1000) {
    throw new Transient(`reading the figures of phase ${phase} took longer than ${snapshotSeconds} s`)
  }
  return replanned
}

/** Present figures, with the prices that the policy's assets and this phase's legs need. */
async function priced(run: RunRecord, phase: number, planning: Planning, ports: RunPorts): Promise<TakenSnapshot> {
  const memory = await ports.policies.find(run.policy)
  const legs = planOf(run).legs.filter((leg) => leg.phase === phase)
  const payees = await readPayees(run.asPlanned, memory, ports, legs)
  const taken = await takeSnapshot(run, memory, payees, ports)
  const { snapshot } = await planWithPrices(
    (figures) => planning.plan(run.policy, run.asPlanned, figures),
    taken.snapshot,
    ports.service,
  )
  const conversions = legs.flatMap((leg) => (leg.kind === IntentKind.Convert ? [priceOfLeg(leg)] : []))
  return { ...taken, snapshot: await withPrices(snapshot, conversions, ports.service) }
}

async function settledLegs(run: RunRecord, ports: RunPorts): Promise<SettledLeg[]> {
  return mapBounded(frozenLegs(run), READS_AT_ONCE, async (frozen) => {
    const { leg, result } = await readFrozenLeg(run, frozen, ports)
    return { leg, intentId: frozen.intentId, ...result }
  })
}

/** Keeps the leg itself only where it differs from the plan. */
function frozenLeg({ runId }: RunRecord, plan: Plan, leg: PlanLeg, trimmed: PlanLeg): FrozenLeg {
  const known = { key: leg.key, intentId: legIntentId(runId, leg) }
  const planned = plan.legs.find(({ key }) => key === leg.key)
  return planned !== undefined && hashParams(planned) === hashParams(leg) ? known : { ...known, leg: trimmed }
}

/** A leg with a used key would have the intent of a leg that was carried out before. @throws Defect */
function assertNew(run: RunRecord, legs: readonly FrozenLeg[]): void {
  const used = new Set(frozenLegs(run).map(({ key }) => key))
  for (const { key } of legs) {
    if (used.has(key)) throw new Defect(`run ${run.runId} has a leg ${key} already`)
    used.add(key)
  }
}

function planOf({ plan, runId }: RunRecord): Plan {
  if (plan === undefined) throw new TypeError(`run ${runId} has no plan`)
  return plan
}
