// Continues a run whose plan waits for a person, when it is entered again. It continues only with the approved legs, and only
// while the approval's basis is unchanged. A passing obstacle ends nothing: the run keeps waiting.
import { type PlanOutput, RunEnd } from '../../contract/runs.ts'
import { type Entry, endAnswerOf, recordedEnd } from '../plan/answers.ts'
import { notAfterOf } from '../plan/make-plan.ts'
import { findObstacle } from '../plan/obstacle.ts'
import { answerPhase, firstPhase } from '../plan/phases.ts'
import { takePolicy } from '../plan/take-policy.ts'
import type { RunPorts } from '../ports.ts'
import { RUNNING, type RunRecord } from '../record/run-record.ts'
import { latestOf } from './approved-leg.ts'
import { endDisapproved, withDecisions } from './decision.ts'
import { expiredText } from './end-of-wait.ts'
import { recheckApproval } from './recheck.ts'

/** @throws Transient, Defect */
export async function continueApproved(waiting: RunRecord, entered: Entry, ports: RunPorts): Promise<PlanOutput> {
  const run = await withDecisions(waiting, ports)
  // A rejection needs no further check.
  if (run.approval?.decision === 'rejected') return recordedEnd(await endDisapproved(run, ports.runs), 1)
  const obstacle = await findObstacle(run.policy, run.asPlanned, ports)
  if (obstacle) return endAnswerOf(run, 1, obstacle.outcome, obstacle.why)
  const { approval, plan } = run
  if (approval === undefined || plan === undefined) throw new TypeError(`run ${run.runId} waits without a plan`)
  if (ports.service.clock.nowMs() >= Date.parse(approval.expiresAt)) {
    return makeVoid(run, expiredText(approval), ports)
  }
  if (approval.decision !== 'approved') return recordedEnd(run, 1)
  // From here on an obstacle is returned and not recorded: the run may be entered again until its approval expires.
  const taken = await takePolicy(run, ports)
  if ('busy' in taken) return endAnswerOf(run, 1, RunEnd.AlreadyRunning, taken.busy)
  const { changed, waits, takenAtMs } = await recheckApproval(run, taken.memory, ports)
  if (changed !== undefined) return makeVoid(run, changed, ports)
  if (waits !== undefined) return endAnswerOf(run, 1, RunEnd.Guarded, waits)
  const { snapshotSeconds } = ports.treasury.guards
  if (ports.service.clock.nowMs() - takenAtMs > snapshotSeconds * 1000) {
    return endAnswerOf(run, 1, RunEnd.Guarded, `reading the figures took longer than ${snapshotSeconds} s`)
  }
  const frozen = await ports.runs.advance(run, {
    outcome: RUNNING,
    // The report shows who approved it.
    approval,
    why: undefined,
    // The approval may have expired while the figures were read.
    notAfter: earlierOf(notAfterOf(run, { takenAt: new Date(takenAtMs).toISOString() }), latestOf(run, approval)),
    phases: [firstPhase(run.runId, plan)],
  })
  return answerPhase(frozen, { ...entered, phase: 1, part: 1 }, ports)
}

function earlierOf(time: string, latestMs: number): string {
  return new Date(Math.min(Date.parse(time), latestMs)).toISOString()
}

async function makeVoid(run: RunRecord, why: string, { runs, service }: RunPorts): Promise<PlanOutput> {
  const endedAt = new Date(service.clock.nowMs()).toISOString()
  return recordedEnd(await runs.advance(run, { outcome: RunEnd.ApprovalVoid, endedAt, why }), 1)
}
