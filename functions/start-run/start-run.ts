// StartRun: turns what a schedule or an event asks for into one execution, under a name that follows from
// the asking alone. What fits no schema and no policy starts nothing: it is Refused, and the dead-letter queue
// keeps it with the reason.
import { type ScheduledStart, StartOutcome, type StartRunReport, scheduledStart } from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { isDue } from '../../core/treasury/due-times.ts'
import { findPolicy, machineOf, type Policies, policyStart } from '../../core/triggers/policy-start.ts'
import { ID_TAKEN, startOfRequest } from '../../core/triggers/requested-start.ts'
import { scheduledName } from '../../core/triggers/scheduled-name.ts'
import type { Start, Starter } from '../../core/triggers/starter.ts'

export interface StartRunPorts {
  readonly policies: Policies
  readonly starter: Starter
  /** Whether keys of this deployment were seen to work. @throws Transient */
  readonly isVerified: () => Promise<boolean>
}

/** @throws Refused for what fits no schema, no policy or no machine, and for an id used twice; Transient; Defect */
export async function startRun(event: unknown, ports: StartRunPorts): Promise<StartRunReport> {
  const { policies, starter } = ports
  if (!isEvent(event)) return startScheduled(parseWith(scheduledStart, event, 'schedule'), ports)
  const start = startOfRequest(event, policies)
  const started = await starter.start(start)
  if (started === 'other') throw new Refused(ID_TAKEN)
  return reportOf(start, started === 'started')
}

async function startScheduled(
  scheduled: ScheduledStart,
  { policies, starter, isVerified }: StartRunPorts,
): Promise<StartRunReport> {
  const { policy, scheduledTime } = scheduled
  const { schedule } = findPolicy(policies, policy, 'schedule.policy')
  // A policy without a schedule has lost it since the tick was made.
  if (schedule === undefined || !isDue(schedule, Date.parse(scheduledTime))) {
    return { outcome: StartOutcome.NotDue, policy, scheduledTime }
  }
  if (!(await isVerified())) return { outcome: StartOutcome.NotVerified, policy, scheduledTime }
  const start = ofSchedule(scheduled, policies)
  // Its name holds all that its input does: whatever has it is this very start.
  return reportOf(start, (await starter.start(start)) === 'started')
}

function reportOf({ stateMachine, name }: Start, isUnderWay: boolean): StartRunReport {
  const outcome = isUnderWay ? StartOutcome.Started : StartOutcome.AlreadyStarted
  return { outcome, stateMachine, execution: name }
}

function isEvent(input: unknown): boolean {
  return input !== null && typeof input === 'object' && 'detail-type' in input
}

function ofSchedule({ policy: name, scheduledTime }: ScheduledStart, policies: Policies): Start {
  const policy = findPolicy(policies, name, 'schedule.policy')
  const trigger = { by: 'schedule', id: scheduledTime } as const
  return policyStart(scheduledName(name, scheduledTime), name, machineOf(policy), trigger)
}
