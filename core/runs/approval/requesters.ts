// Records who asked for a run: `Q#<run>`, written once before the run starts, and never changed. Only the functions that start
// runs write it, and no step of a run may: so no run can choose its own requester. The record also holds the request: a run of
// another request under the same id is another run.
import * as z from 'zod/mini'
import type { NewId } from '../../clock.ts'
import { ownId } from '../../contract/fields.ts'
import { isSamePerson } from '../../contract/person.ts'
import { recordKey } from '../../contract/records.ts'
import { type Requester, type RunRequest, requester } from '../../contract/runs.ts'
import { Refused } from '../../errors.ts'
import { checkRecord } from '../../journal/record-format.ts'
import { putRecord, type RecordStore, type StoredRecord } from '../../journal/record-store.ts'
import { actKeys } from '../../journal/request-keys.ts'
import { otherRequestText, type Runs, requestHashOf } from '../record/runs.ts'

export const requesterFields = z.extend(requester, {
  requestHash: z.string(),
  /** The id that a person gave, of which the run's id was made. Only lists show it. */
  ownId: z.optional(ownId),
})

export type RecordedRequester = z.infer<typeof requesterFields>

type Asked = Requester & Pick<RecordedRequester, 'ownId'>

export interface Requesters {
  /** @throws Transient, Defect */
  find(runId: string): Promise<RecordedRequester | undefined>
  /** Writes the record if nobody asked for this run before. Returns the first requester. @throws Transient */
  record(runId: string, requester: Asked, request: RunRequest): Promise<RecordedRequester>
}

export function createRequesterReader(store: RecordStore): Pick<Requesters, 'find'> {
  return {
    async find(runId) {
      return requesterIn(await store.read(recordKey.requester(runId)))
    },
  }
}

/** @throws Defect for a record with wrong fields */
export function requesterIn(record: StoredRecord | undefined): RecordedRequester | undefined {
  return record && checkRecord(requesterFields, record)
}

export function createRequesters(store: RecordStore, newId: NewId): Requesters {
  const { find } = createRequesterReader(store)
  return {
    find,

    async record(runId, { kind, by, at, ownId }, request) {
      const requester = { kind, by, at, requestHash: requestHashOf(request), ...(ownId !== undefined && { ownId }) }
      const pk = recordKey.requester(runId)
      const listed = kind === 'person' ? actKeys(at, pk) : {}
      if ((await putRecord({ store, newId }, pk, { ...requester, ...listed })) === 'written') return requester
      const first = await find(runId)
      if (first === undefined) throw new TypeError(`the requester of run ${runId} could be neither read nor written`)
      return first
    },
  }
}

interface PersonsRequest {
  readonly by: string
  /** ISO-8601. */
  readonly at: string
  readonly ownId?: string | undefined
  readonly request: RunRequest
}

/**
 * Records that this person asks for the run, before it starts. The same person may ask again for the same request, also after
 * a crash. A run that started without a recorded requester is refused.
 * @throws Refused also for a run with another requester or another request.
 * @throws Transient, Defect
 */
export async function recordPerson(
  runId: string,
  { by, at, ownId, request }: PersonsRequest,
  { runs, requesters }: { readonly runs: Pick<Runs, 'find'>; readonly requesters: Requesters },
): Promise<void> {
  // Otherwise somebody who asks for a run under way would count as its requester.
  if ((await requesters.find(runId)) === undefined && (await runs.find(runId)) !== undefined) {
    throw new Refused(`run ${runId} has started without a recorded requester: ask under another id`)
  }
  const first = await requesters.record(
    runId,
    { kind: 'person', by, at, ...(ownId !== undefined && { ownId }) },
    request,
  )
  if (first.requestHash !== requestHashOf(request)) throw new Refused(otherRequestText(runId))
  if (first.kind !== 'person' || !isSamePerson(first.by, by)) {
    throw new Refused(`run ${runId} was asked for by ${first.by}: ask under another id`)
  }
}
