// Finds movements and runs for which no record says who asked: another service started them by StartExecution. On AWS
// CloudTrail has who that was. Legs of runs and requests of events are asked for by no person. Says what the plan of a
// run moves. Reads only.

import { STARTED_DIGITS } from '../../core/contract/fields.ts'
import { findIntentName, type IntentKind, recordKey } from '../../core/contract/records.ts'
import { intentOfRecord } from '../../core/journal/intent-record.ts'
import { findReadable } from '../../core/journal/listed-records.ts'
import { type RunRecord, runOfRecord } from '../../core/runs/record/run-record.ts'
import type { RequestAccess } from '../../place/journal/journal-parts.ts'
import { requestName } from '../words/request-words.ts'
import { type Act, Did } from './act.ts'

/** In place of a name. */
export const BY_CALL = 'not recorded: started by StartExecution, on AWS see CloudTrail'

/** The form of the ids of legs. A run has thousands of them, so their records are not read. */
const LEG = /^[0-9a-f]{40}$/
/** The form of the ids that events give (core/triggers/names.ts). */
const OF_EVENT = new RegExp(`^(?:convert|withdraw)-[0-9a-f]{${STARTED_DIGITS}}$`)

type Reading = Pick<RequestAccess, 'readRecord'>

/** Whether the key is that of a movement or a run. */
export function isStart(key: string): boolean {
  return /^[IR]#/.test(key)
}

/** @throws Transient */
export async function unrecordedStart(key: string, journal: Reading): Promise<readonly Act[]> {
  const named = key.startsWith(recordKey.run('')) ? undefined : findIntentName(key.slice(key.indexOf('#') + 1))
  // `journal verify` reports records that cannot be read.
  const found = await findReadable(
    () => (named === undefined ? unrecordedRun(key, journal) : unrecordedMovement(key, named, journal)),
    () => undefined,
  )
  return found === undefined ? [] : [found]
}

async function unrecordedRun(key: string, { readRecord }: Reading): Promise<Act | undefined> {
  const runId = key.slice(recordKey.run('').length)
  if ((await readRecord(recordKey.requester(runId))) !== undefined) return undefined
  const record = await readRecord(key)
  if (record === undefined) return undefined
  const run = runOfRecord(record)
  const { policy, startedAt } = run
  return {
    ...actOf({ at: startedAt, kind: 'run', about: runId, what: turnoverText(run), policy, record: key }),
    did: didOfRun(run),
    startedAt,
  }
}

async function unrecordedMovement(
  key: string,
  { intentId, kind }: { readonly intentId: string; readonly kind: IntentKind },
  { readRecord }: Reading,
): Promise<Act | undefined> {
  if (LEG.test(intentId)) return undefined
  if ((await readRecord(recordKey.asked(kind, intentId))) !== undefined) return undefined
  const record = await readRecord(key)
  if (record === undefined) return undefined
  const intent = intentOfRecord(record)
  const { createdAt, params } = intent
  const isOfEvent = typeof params.requestId === 'string' && OF_EVENT.test(intentId)
  if (isOfEvent || typeof params.run === 'string') return undefined
  const policy = typeof params.policy === 'string' ? params.policy : null
  return actOf({ at: createdAt, kind, about: intentId, what: requestName(intent), policy, record: key })
}

function actOf(more: Pick<Act, 'at' | 'kind' | 'about' | 'what' | 'policy' | 'record'>): Act {
  return { ...more, by: BY_CALL, did: Did.Asked, because: null, detail: null }
}

export function didOfRun({ request }: Pick<RunRecord, 'request'>): Did {
  return request.shadow === true ? Did.Planned : Did.Asked
}

/** Such as `turnover 11319.25 USD`. Null for a run without a plan. */
export function turnoverText({ plan }: Pick<RunRecord, 'plan'>): string | null {
  return plan === undefined ? null : `turnover ${plan.turnover} ${plan.valuationAsset}`
}
