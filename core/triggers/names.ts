// Owns the names of executions that events and deposits start; scheduled-name.ts owns those of schedules. A name
// depends only on its trigger, so a trigger that is delivered twice starts one run. Step Functions accepts a name only
// once.
import { RequestEvent } from '../contract/events.ts'
import { nameFrom } from './scheduled-name.ts'

export interface RequestIdentity {
  readonly detailType: RequestEvent
  readonly account: string
  readonly id: string
}

/**
 * Beginnings of names, for people. They depend on the detail-type, not on the policy: otherwise one id would start a
 * run of each policy.
 */
const STEMS: Readonly<Record<RequestEvent, string>> = {
  [RequestEvent.Conversion]: 'convert',
  [RequestEvent.Withdrawal]: 'withdraw',
  [RequestEvent.Sweep]: 'sweep',
  [RequestEvent.Rebalance]: 'rebalance',
}

/** Only the identity of the request counts, not its content. */
export function requestedName({ detailType, account, id }: RequestIdentity): string {
  return nameFrom(STEMS[detailType], ['event', detailType, account, id])
}

/** `delivery`: hash of the delivery's bytes. */
export function depositName(policy: string, delivery: string): string {
  return nameFrom(policy, ['deposit', policy, delivery])
}
