// Decide: takes a person's decision on a waiting plan or movement, on AWS. Records the decision under the identity that
// signed, and enters a run once people have decided. A waiting movement needs no entry: its step checks for decisions
// regularly. The step that plans or sends judges the decision again. Can write neither runs nor intents.
import { MOST_ENTRIES } from '../../core/contract/fields.ts'
import type { DecideAnswer, DecideOnMovement, DecideOnRun, DecideRequest } from '../../core/contract/people.ts'
import { Refused } from '../../core/errors.ts'
import type { Speaker } from '../../core/journal/accepted-requests.ts'
import { machineOf } from '../../core/policies/kinds.ts'
import { decideApproval } from '../../core/runs/approval/decision.ts'
import type { Decisions } from '../../core/runs/approval/decisions.ts'
import { decideMovement, type MovementDecisionPorts } from '../../core/runs/approval/movement-decision.ts'
import type { Requesters } from '../../core/runs/approval/requesters.ts'
import type { RunRecord } from '../../core/runs/record/run-record.ts'
import type { Runs } from '../../core/runs/record/runs.ts'
import { enterAgain } from '../../core/triggers/entries.ts'
import type { Starter } from '../../core/triggers/starter.ts'

interface DecidePorts {
  readonly runs: Pick<Runs, 'find'>
  readonly journal: MovementDecisionPorts['journal']
  readonly treasury: MovementDecisionPorts['treasury']
  readonly decisions: Decisions
  readonly requesters: Pick<Requesters, 'find'>
  readonly starter: Starter
}

/** @throws Refused with the reason why this person may not decide; Transient; Defect */
export function decide(request: DecideRequest, speaker: Speaker, ports: DecidePorts): Promise<DecideAnswer> {
  return 'run' in request ? decideOnRun(request, speaker, ports) : decideOnMovement(request, speaker, ports)
}

async function decideOnMovement(
  { kind, intent: intentId, termsHash, decision, because }: DecideOnMovement,
  speaker: Speaker,
  ports: DecidePorts,
): Promise<DecideAnswer> {
  const { by } = speaker
  const decided = await decideMovement({ kind, intentId, termsHash, decision, because, ...speaker }, ports)
  const outcome = decided.decision === undefined ? 'WAITS' : decided.decision === 'approved' ? 'APPROVED' : 'REJECTED'
  const approvals = decided.words.flatMap(({ decision: given, spoken: _spoken, signed: _signed, ...approval }) =>
    given === 'approved' ? [approval] : [],
  )
  const { before, missing } = decided
  return { ...{ outcome, by, intent: intentId, missing }, approvals, ...(before && { before }) }
}

async function decideOnRun(
  { decision, run: runId, planHash, because }: DecideOnRun,
  speaker: Speaker,
  ports: DecidePorts,
): Promise<DecideAnswer> {
  const { by } = speaker
  const { run, before } = await decideApproval(runId, { decision, planHash, because, ...speaker }, ports)
  const { approval } = run
  const outcome =
    approval?.decision === undefined ? 'WAITS' : approval.decision === 'approved' ? 'APPROVED' : 'REJECTED'
  return {
    ...{ outcome, by, run: runId },
    ...(approval?.needed !== undefined && { needed: approval.needed }),
    ...(approval?.approvals && { approvals: approval.approvals }),
    ...(before && { before }),
    ...(outcome !== 'WAITS' && { execution: await enter(run, ports) }),
  }
}

/** Starts the run's next entry under the first free name, because others may have entered it while it waited. */
async function enter({ runId, entry, asPlanned, request }: RunRecord, { starter }: DecidePorts): Promise<string> {
  const stateMachine = machineOf(asPlanned)
  const entered = await enterAgain(runId, entry, async (name) =>
    (await starter.start({ stateMachine, name, input: request })) === 'started' ? name : 'taken',
  )
  if (entered !== undefined) return entered
  throw new Refused(
    `the decision is recorded, but run ${runId} was entered ${MOST_ENTRIES} times, which is the most; nothing of it has moved: start a run under another name`,
  )
}
