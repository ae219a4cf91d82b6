// Decide: a person's word on a plan or a movement that waits, on AWS. It records the word under the identity that asked, and
// enters the run where people have decided. A movement that waits looks by itself. What the word comes to, the step that
// plans or sends judges again. It can write no run and no intent.
import type { Clock } from '../../core/clock.ts'
import { MOST_ENTRIES } from '../../core/contract/fields.ts'
import type { DecideAnswer, DecideOnMovement, DecideOnRun, DecideRequest } from '../../core/contract/people.ts'
import { Refused } from '../../core/errors.ts'
import { machineOf } from '../../core/policies/kinds.ts'
import { decideApproval } from '../../core/runs/approval/decision.ts'
import type { Decisions } from '../../core/runs/approval/decisions.ts'
import { decideMovement, type MovementDecisionPorts } from '../../core/runs/approval/movement-decision.ts'
import type { Requesters } from '../../core/runs/approval/requesters.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import type { Runs } from '../../core/runs/record/runs.ts'
import { enterAgain } from '../../core/triggers/entries.ts'
import type { Starter } from '../../core/triggers/starter.ts'

export interface DecidePorts {
  readonly runs: Pick<Runs, 'find'>
  readonly journal: MovementDecisionPorts['journal']
  /** Guards of the deployment. */
  readonly everywhere: MovementDecisionPorts['everywhere']
  readonly decisions: Decisions
  readonly requesters: Pick<Requesters, 'find'>
  readonly starter: Starter
  readonly clock: Pick<Clock, 'nowMs'>
}

/** @throws Refused with why this person may not decide so; Transient; Defect */
export function decide(request: DecideRequest, by: string, ports: DecidePorts): Promise<DecideAnswer> {
  return 'run' in request ? decideOnRun(request, by, ports) : decideOnMovement(request, by, ports)
}

async function decideOnMovement(
  { kind, intent: intentId, termsHash, decision, because }: DecideOnMovement,
  by: string,
  ports: DecidePorts,
): Promise<DecideAnswer> {
  const at = new Date(ports.clock.nowMs()).toISOString()
  const decided = await decideMovement({ kind, intentId, termsHash, decision, because, by, at }, ports)
  const outcome = decided.decision === undefined ? 'WAITS' : decided.decision === 'approved' ? 'APPROVED' : 'REJECTED'
  const approvals = decided.words.flatMap(({ decision: said, ...word }) => (said === 'approved' ? [word] : []))
  return { ...{ outcome, by, intent: intentId, missing: decided.missing }, approvals }
}

async function decideOnRun(
  { decision, run: runId, planHash, because }: DecideOnRun,
  by: string,
  ports: DecidePorts,
): Promise<DecideAnswer> {
  const at = new Date(ports.clock.nowMs()).toISOString()
  const run = await decideApproval(runId, { decision, planHash, because, by, at }, ports)
  const { approval } = run
  const outcome =
    approval?.decision === undefined ? 'WAITS' : approval.decision === 'approved' ? 'APPROVED' : 'REJECTED'
  return {
    ...{ outcome, by, run: runId },
    ...(approval?.needed !== undefined && { needed: approval.needed }),
    ...(approval?.approvals && { approvals: approval.approvals }),
    ...(outcome !== 'WAITS' && { execution: await enter(run, ports) }),
  }
}

/** Under the first name that is free: whoever entered the run while it waited took one. */
async function enter({ runId, entry, asPlanned, request }: RunRecord, { starter }: DecidePorts): Promise<string> {
  const stateMachine = machineOf(asPlanned)
  const entered = await enterAgain(runId, entry, async (name) =>
    (await starter.start({ stateMachine, name, input: request })) === 'started' ? name : 'taken',
  )
  if (entered !== undefined) return entered
  throw new Refused(
    `the word is recorded, and run ${runId} was entered ${MOST_ENTRIES} times, which is the most: start a run under another name, for nothing of this one has moved`,
  )
}
