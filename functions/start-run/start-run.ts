// StartRun: starts one execution for a schedule or an event, under a name that follows from the request alone. A
// request that fits no schema or policy is Refused and starts nothing: the dead-letter queue keeps it with the reason.
import type { Clock } from '../../core/clock.ts'
import type { Requester } from '../../core/contract/runs.ts'
import { type ScheduledStart, StartOutcome, type StartRunReport, scheduledStart } from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { machineOf } from '../../core/policies/kinds.ts'
import type { Requesters } from '../../core/runs/approval/requesters.ts'
import { requestHashOf } from '../../core/runs/record/runs.ts'
import { isDue } from '../../core/treasury/due-times.ts'
import { findPolicy, type Policies, policyStart, type RunStart } from '../../core/triggers/policy-start.ts'
import { ID_TAKEN, readRequestedStart } from '../../core/triggers/requested-start.ts'
import { scheduledName } from '../../core/triggers/scheduled-name.ts'
import type { Start, Starter } from '../../core/triggers/starter.ts'

interface StartRunPorts {
  readonly policies: Policies
  readonly starter: Starter
  /** Whether keys of this deployment were verified. @throws Transient */
  readonly isVerified: () => Promise<boolean>
  readonly requesters: Pick<Requesters, 'record'>
  readonly clock: Pick<Clock, 'nowMs'>
}

/**
 * @throws Refused for a request without a matching schema, policy or machine, and for an id used twice; Transient;
 * Defect
 */
export async function startRun(event: unknown, ports: StartRunPorts): Promise<StartRunReport> {
  const { policies, starter } = ports
  if (!isEvent(event)) return startScheduled(parseWith(scheduledStart, event, 'schedule'), ports)
  const { start, run, account, id } = readRequestedStart(event, policies)
  if (run !== undefined && !(await recordRequester(run, 'event', `${id} of account ${account}`, ports))) {
    throw new Refused(ID_TAKEN)
  }
  const started = await starter.start(start)
  if (started === 'other') throw new Refused(ID_TAKEN)
  return reportOf(start, started === 'started')
}

/**
 * Records the requester before the start, because it decides who may approve. Returns false when the id was used for
 * another request before.
 */
async function recordRequester(
  { name, input }: RunStart,
  kind: Requester['kind'],
  by: string,
  { requesters, clock }: StartRunPorts,
): Promise<boolean> {
  const at = new Date(clock.nowMs()).toISOString()
  const { requestHash } = await requesters.record(name, { kind, by, at }, input)
  return requestHash === requestHashOf(input)
}

async function startScheduled(scheduled: ScheduledStart, ports: StartRunPorts): Promise<StartRunReport> {
  const { policies, starter, isVerified } = ports
  const { policy, scheduledTime } = scheduled
  const { schedule } = findPolicy(policies, policy, 'schedule.policy')
  // A policy without a schedule lost it after this event was made.
  if (schedule === undefined || !isDue(schedule, Date.parse(scheduledTime))) {
    return { outcome: StartOutcome.NotDue, policy, scheduledTime }
  }
  if (!(await isVerified())) return { outcome: StartOutcome.NotVerified, policy, scheduledTime }
  const start = scheduledRunStart(scheduled, policies)
  await recordRequester(start, 'schedule', scheduledTime, ports)
  // The name contains everything in the input, so an existing execution is this very start.
  return reportOf(start, (await starter.start(start)) === 'started')
}

function reportOf({ stateMachine, name }: Start, isUnderWay: boolean): StartRunReport {
  const outcome = isUnderWay ? StartOutcome.Started : StartOutcome.AlreadyStarted
  return { outcome, stateMachine, execution: name }
}

function isEvent(input: unknown): boolean {
  return input !== null && typeof input === 'object' && 'detail-type' in input
}

function scheduledRunStart({ policy: name, scheduledTime }: ScheduledStart, policies: Policies): RunStart {
  const policy = findPolicy(policies, name, 'schedule.policy')
  const trigger = { by: 'schedule', id: scheduledTime } as const
  return policyStart(scheduledName(name, scheduledTime), name, machineOf(policy), trigger)
}
