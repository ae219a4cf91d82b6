// Builds the start that an event requests: its state machine, name and input. The function that receives events and the
// command that sends them both use it, so they refuse the same events.
import { RequestEvent, requestDetail, SET_BY_SLUICE } from '../contract/events.ts'
import { StateMachine } from '../contract/states.ts'
import { requestedStart } from '../contract/triggers.ts'
import { Refused } from '../errors.ts'
import { parseWith } from '../parse.ts'
import { machineOf } from '../policies/kinds.ts'
import { requestedName } from './names.ts'
import { findPolicy, type Policies, policyStart, type RunStart } from './policy-start.ts'
import type { Start } from './starter.ts'

const MACHINES = {
  [RequestEvent.Conversion]: StateMachine.Convert,
  [RequestEvent.Withdrawal]: StateMachine.Withdraw,
  [RequestEvent.Sweep]: StateMachine.Sweep,
  [RequestEvent.Rebalance]: StateMachine.Rebalance,
} as const

/** Error for an event whose id belongs to another request. */
export const ID_TAKEN = 'detail.id: expected an id of its own; another request has been started under this one'

/** The start, and who put the event. Only an AWS account identifies the requester. */
interface RequestedStart {
  readonly start: Start
  /** The same start, present only for a run. */
  readonly run?: RunStart
  readonly account: string
  readonly id: string
}

/** @throws Refused for an event that matches no schema, no policy or no state machine */
export function readRequestedStart(event: unknown, policies: Policies): RequestedStart {
  const { account, detail, 'detail-type': detailType } = parseWith(requestedStart, event, 'event')
  const stateMachine = MACHINES[detailType]
  const identity = (id: string) => ({ detailType, account, id })

  if (detailType === RequestEvent.Conversion || detailType === RequestEvent.Withdrawal) {
    const { id, request } = parseWith(requestDetail[detailType], detail, 'detail')
    for (const field of SET_BY_SLUICE) {
      if (request[field] !== undefined) throw new Refused(`detail.request.${field}: expected nothing; Sluice sets it`)
    }
    if (request.policy !== undefined) findPolicy(policies, request.policy, 'detail.request.policy')
    const start = { stateMachine, name: requestedName(identity(id)), input: { ...request, requestId: id } }
    return { start, account, id }
  }

  const { id, policy: name } = parseWith(requestDetail[detailType], detail, 'detail')
  const policy = findPolicy(policies, name, 'detail.policy')
  if (machineOf(policy) !== stateMachine) {
    throw new Refused(
      `detail.policy: expected a policy that "${detailType}" is for; this one is of kind ${policy.kind}`,
    )
  }
  const run = policyStart(requestedName(identity(id)), name, stateMachine, { by: 'event', id })
  return { start: run, run, account, id }
}

/** Returns only the start of `readRequestedStart`, and throws the same errors. */
export function startOfRequest(event: unknown, policies: Policies): Start {
  return readRequestedStart(event, policies).start
}
