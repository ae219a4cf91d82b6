// A run whose plan waits for a person, entered again: it goes on only with the very legs that were approved, and
// only where nothing has changed that the approval rests on. What stands in the way for now ends nothing.
import { type PlanOutput, RunEnd } from '../../contract/runs.ts'
import { type Planning, saying, sayingOf } from '../plan/answers.ts'
import { notAfterOf } from '../plan/make-plan.ts'
import { findStanding } from '../plan/obstacle.ts'
import { answerPhase, firstPhase } from '../plan/phases.ts'
import { takePolicy } from '../plan/take-policy.ts'
import type { RunPorts } from '../ports.ts'
import { RUNNING, type RunRecord } from '../record/run-record.ts'
import { lookAgain } from './look-again.ts'

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
  const taken = await takePolicy(run, ports)
  if ('busy' in taken) return forNow(run, RunEnd.AlreadyRunning, taken.busy)
  const { changed, waits, takenAtMs } = await lookAgain(run, taken.memory, ports)
  if (changed !== undefined) return makeVoid(run, changed, ports)
  if (waits !== undefined) return forNow(run, RunEnd.Guarded, waits)
  const { snapshotSeconds } = ports.treasury.guards
  if (ports.service.clock.nowMs() - takenAtMs > snapshotSeconds * 1000) {
    return forNow(run, RunEnd.Guarded, `reading the figures took longer than ${snapshotSeconds} s`)
  }
  const takenAt = new Date(takenAtMs).toISOString()
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
