// Owns the names of executions that something from outside starts. The name follows from what started it,
// and from nothing else: delivered twice, it is one run. Step Functions takes a name once.
import { createHash } from 'node:crypto'
import { RequestEvent } from '../contract/events.ts'

/** With a policy's name of 48 letters and a dash within the 76 of an intent's id; 104 bits, which no chance repeats. */
const DIGITS = 26

/** `stem`, for people, and a digest of what is hashed. The first word keeps the kinds of triggers apart. */
function nameFrom(stem: string, hashed: readonly [kind: string, ...rest: string[]]): string {
  const digest = createHash('sha256').update(JSON.stringify(hashed)).digest('hex')
  return `${stem}-${digest.slice(0, DIGITS)}`
}

/** `scheduledTime`: ISO-8601, in whatever spelling. */
export function scheduledName(policy: string, scheduledTime: string): string {
  return nameFrom(policy, ['schedule', policy, new Date(scheduledTime).toISOString()])
}

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
