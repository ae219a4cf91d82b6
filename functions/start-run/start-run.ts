// StartRun: turns what a schedule or an event asks for into one execution, under a name that follows from
// the asking alone. What fits no schema and no policy starts nothing: it is Refused, and the dead-letter queue
// keeps it with the reason.
import { RequestEvent, requestDetail, SET_BY_SLUICE } from '../../core/contract/events.ts'
import { StateMachine } from '../../core/contract/states.ts'
import {
  requestedStart,
  type ScheduledStart,
  StartOutcome,
  type StartRunReport,
  scheduledStart,
} from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { requestedName, scheduledName } from '../../core/triggers/names.ts'
import { findPolicy, machineOf, type Policies, policyStart } from '../../core/triggers/policy-start.ts'
import type { Start, Starter } from '../../core/triggers/starter.ts'

export interface StartRunPorts {
  readonly policies: Policies
  readonly starter: Starter
}

/** @throws Refused for what fits no schema, no policy or no machine, and for an id used twice; Transient; Defect */
export async function startRun(event: unknown, { policies, starter }: StartRunPorts): Promise<StartRunReport> {
  if (!isEvent(event)) {
    const start = ofSchedule(parseWith(scheduledStart, event, 'schedule'), policies)
    // Its name holds all that its input does: whatever has it is this very start.
    return reportOf(start, (await starter.start(start)) === 'started')
  }
  const start = ofRequest(event, policies)
  const started = await starter.start(start)
  if (started === 'other') {
    throw new Refused('detail.id: expected an id of its own; another request has been started under this one')
  }
  return reportOf(start, started === 'started')
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

/** The machine that each request is for. */
const MACHINES = {
  [RequestEvent.Conversion]: StateMachine.Convert,
  [RequestEvent.Withdrawal]: StateMachine.Withdraw,
  [RequestEvent.Sweep]: StateMachine.Sweep,
  [RequestEvent.Rebalance]: StateMachine.Rebalance,
} as const

function ofRequest(event: unknown, policies: Policies): Start {
  const { account, detail, 'detail-type': detailType } = parseWith(requestedStart, event, 'event')
  const stateMachine = MACHINES[detailType]
  const identity = (id: string) => ({ detailType, account, id })

  if (detailType === RequestEvent.Conversion || detailType === RequestEvent.Withdrawal) {
    const { id, request } = parseWith(requestDetail[detailType], detail, 'detail')
    for (const field of SET_BY_SLUICE) {
      if (request[field] !== undefined) throw new Refused(`detail.request.${field}: expected nothing; Sluice sets it`)
    }
    if (request.policy !== undefined) findPolicy(policies, request.policy, 'detail.request.policy')
    return { stateMachine, name: requestedName(identity(id)), input: { ...request, requestId: id } }
  }

  const { id, policy: name } = parseWith(requestDetail[detailType], detail, 'detail')
  const policy = findPolicy(policies, name, 'detail.policy')
  if (machineOf(policy) !== stateMachine) {
    throw new Refused(
      `detail.policy: expected a policy that "${detailType}" is for; this one is of kind ${policy.kind}`,
    )
  }
  return policyStart(requestedName(identity(id)), name, stateMachine, { by: 'event', id })
}
