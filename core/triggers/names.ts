// Owns the names of executions that events, deposits and files start. A name depends only on its trigger. Step Functions
// accepts a name once, so a trigger that is delivered twice starts one run. For schedules, see scheduled-name.ts.
import { RequestEvent } from '../contract/events.ts'
import { nameFrom } from './scheduled-name.ts'

interface RequestIdentity {
  readonly detailType: RequestEvent
  readonly account: string
  readonly id: string
}

export interface VersionOfObject {
  readonly bucket: string
  readonly key: string
  readonly versionId: string
}

/**
 * Prefixes of names, for people. A prefix depends on the detail-type and not on the policy. Otherwise one request id
 * could start a run of every policy.
 */
const PREFIXES: Readonly<Record<RequestEvent, string>> = {
  [RequestEvent.Conversion]: 'convert',
  [RequestEvent.Withdrawal]: 'withdraw',
  [RequestEvent.Sweep]: 'sweep',
  [RequestEvent.Rebalance]: 'rebalance',
}

/** Ignores the request's content, so two events with the same identity get the same name. */
export function requestedName({ detailType, account, id }: RequestIdentity): string {
  return nameFrom(PREFIXES[detailType], ['event', detailType, account, id])
}

/** A version of an object never changes, so the run's rows follow from its name. */
export function runNameOfFile(policy: string, { bucket, key, versionId }: VersionOfObject): string {
  return nameFrom(policy, ['file', policy, bucket, key, versionId])
}

/** `delivery`: hash of the bytes of the webhook delivery that reported the deposit. */
export function runNameOfDeposit(policy: string, delivery: string): string {
  return nameFrom(policy, ['deposit', policy, delivery])
}
