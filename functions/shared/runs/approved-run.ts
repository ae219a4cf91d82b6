// A run whose plan waits for a person, entered again: it goes on only with the very legs that were approved, and
// only where nothing has changed that the approval rests on. What stands in the way for now ends nothing.
import { IntentKind } from '../../contract/records.ts'
import { type PlanOutput, RunEnd } from '../../contract/runs.ts'
import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import { compareScaled, formatDecimal, parseDecimal } from '../money/decimal.ts'
import { hashPlan } from '../planning/plan-hash.ts'
import type { Snapshot } from '../planning/snapshot.ts'
import { observe, priceOfLeg } from './ask-prices.ts'
import { takePolicy } from './holder.ts'
import { findStanding } from './may-run.ts'
import { answerPhase, firstPhase } from './phases.ts'
import { notAfterOf } from './plan-first.ts'
import { type Planning, saying, sayingOf } from './planning.ts'
import type { RunPorts, RunService } from './ports.ts'
import { findAsked } from './request.ts'
import { RUNNING, type RunRecord } from './run-record.ts'
import { takeSnapshot } from './take-snapshot.ts'

const WHOLE_BPS = 10_000n

/** @throws Transient, Defect */
export async function goOnApproved(
  run: RunRecord,
  entry: number,
  planning: Planning,
  ports: RunPorts,
): Promise<PlanOutput> {
  const standing = await findStanding(run.policy, run.asPlanned, ports)
  if (standing) return forNow(run, standing.outcome, standing.why)
  const { approval, plan } = run
  if (approval === undefined || plan === undefined) throw new TypeError(`run ${run.runId} waits without a plan`)
  if (ports.service.clock.nowMs() >= Date.parse(approval.expiresAt)) {
    return makeVoid(run, `nobody carried it out until ${approval.expiresAt}`, ports)
  }
  if (approval.decision !== 'approved') return sayingOf(run, 1)
  const now = findAsked(run.request, ports.treasury)
  if (now?.policyHash !== run.policyHash || now.name !== run.policy)
    return makeVoid(run, 'the policy has changed since', ports)
  if (hashPlan(plan) !== approval.planHash) return makeVoid(run, 'the plan is not the one that was approved', ports)

  const taken = await takePolicy(run, ports)
  if ('busy' in taken) return forNow(run, RunEnd.AlreadyRunning, taken.busy)
  const { snapshot } = await takeSnapshot(run.policy, run.asPlanned, taken.memory, ports)
  const changed = changedContact(run, snapshot) ?? changedFigure(run, snapshot) ?? (await movedRate(run, ports.service))
  if (changed !== undefined) return makeVoid(run, changed, ports)
  const { snapshotSeconds } = ports.treasury.guards
  if (ports.service.clock.nowMs() - snapshot.takenAtMs > snapshotSeconds * 1000) {
    return forNow(run, RunEnd.Guarded, `reading the figures took longer than ${snapshotSeconds} s`)
  }
  const takenAt = new Date(snapshot.takenAtMs).toISOString()
  const frozen = await ports.runs.advance(run, {
    ...{ outcome: RUNNING, why: undefined },
    ...{ notAfter: notAfterOf(run, { takenAt }), phases: [firstPhase(run.runId, plan)] },
  })
  return answerPhase(frozen, 1, entry, planning, ports)
}

/** The run goes on waiting, and may be entered again until its approval expires. */
function forNow({ runId, policy, kind }: RunRecord, outcome: RunEnd, why: string): PlanOutput {
  return { ...saying(runId, 1, outcome, why), policy, kind }
}

async function makeVoid(run: RunRecord, why: string, { runs, service }: RunPorts): Promise<PlanOutput> {
  const endedAt = new Date(service.clock.nowMs()).toISOString()
  return sayingOf(await runs.advance(run, { outcome: RunEnd.ApprovalVoid, endedAt, why }), 1)
}

/** One sentence for the first contact that was changed: what was approved may lead elsewhere. */
function changedContact({ plan }: RunRecord, { contacts }: Snapshot): string | undefined {
  for (const leg of plan?.legs ?? []) {
    if (leg.kind !== IntentKind.Withdraw) continue
    const contact = contacts.get(leg.contactId)
    if (contact === undefined) return `contact ${leg.contactId} is no longer there`
    if (contact.payee.updatedAt !== leg.payee?.updatedAt) return `contact ${leg.contactId} has changed since`
  }
  return undefined
}

/** One sentence for the first asset of the legs whose balance is another, or in doubt. */
function changedFigure({ basis = {} }: RunRecord, { positions }: Snapshot): string | undefined {
  for (const [asset, then] of Object.entries(basis)) {
    const position = positions.get(asset)
    if (position?.inDoubt !== undefined) return `intent ${position.inDoubt} of ${asset} is in doubt`
    const now = position?.spendable ?? parseDecimal('0', 'spendable')
    if (now !== parseDecimal(then, 'basis')) {
      return `the spendable balance of ${asset} was ${then} and is ${formatDecimal(now)}`
    }
  }
  return undefined
}

/** One sentence for the first conversion whose indicative rate, at its size, has moved beyond the bound. */
async function movedRate(
  { plan, asPlanned }: RunRecord,
  service: Pick<RunService, 'price'>,
): Promise<string | undefined> {
  const bound = BigInt(asPlanned.approval?.priceBoundBps ?? 0)
  const legs = (plan?.legs ?? []).flatMap((leg) => (leg.kind === IntentKind.Convert ? [leg] : []))
  const moved = await mapBounded(legs, READS_AT_ONCE, async (leg) => {
    const observed = await observe(priceOfLeg(leg), service)
    if (observed === undefined) return `${leg.market} has no indicative price at the size of ${leg.key}`
    const then = parseDecimal(leg.indicativeRate, 'indicativeRate')
    const isBelow = compareScaled(observed.rate, WHOLE_BPS, then, WHOLE_BPS - bound) < 0
    const isAbove = compareScaled(observed.rate, WHOLE_BPS, then, WHOLE_BPS + bound) > 0
    if (!isBelow && !isAbove) return undefined
    return `the indicative rate of ${leg.key} was ${leg.indicativeRate} and is ${formatDecimal(observed.rate)}: more than ${bound} bps away`
  })
  return moved.find((why) => why !== undefined)
}
