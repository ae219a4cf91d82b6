// Owns the names of executions that something from outside starts, but for schedules: scheduled-name.ts. The name follows from what started it,
// and from nothing else: delivered twice, it is one run. Step Functions takes a name once.
import { RequestEvent } from '../contract/events.ts'
import { nameFrom } from './scheduled-name.ts'

export interface RequestIdentity {
  readonly detailType: RequestEvent
  /** AWS account of the requester. */
  readonly account: string
  /** The requester's own. */
  readonly id: string
}

/** For people; of the detail-type, not of the policy: under its name, one id would be a run of each policy. */
const STEMS: Readonly<Record<RequestEvent, string>> = {
  [RequestEvent.Conversion]: 'convert',
  [RequestEvent.Withdrawal]: 'withdraw',
  [RequestEvent.Sweep]: 'sweep',
  [RequestEvent.Rebalance]: 'rebalance',
}

/** The id alone makes the request, so nothing else of it counts. */
export function requestedName({ detailType, account, id }: RequestIdentity): string {
  return nameFrom(STEMS[detailType], ['event', detailType, account, id])
}

/** `delivery`: hash of the delivery's bytes. */
export function depositName(policy: string, delivery: string): string {
  return nameFrom(policy, ['deposit', policy, delivery])
}
