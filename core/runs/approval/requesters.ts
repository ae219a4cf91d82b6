// Who asked for a run: `Q#<run>`, written once, before the run is started, and never changed. Only the functions that start
// runs write it, and no step of a run may: so no run can say of itself who asked for it. It holds what was asked for, too:
// a run of another request under the same id is not the one that was asked for.
import * as z from 'zod/mini'
import type { NewId } from '../../clock.ts'
import { isSamePerson } from '../../contract/person.ts'
import { recordKey } from '../../contract/records.ts'
import { type Requester, type RunRequest, requester } from '../../contract/runs.ts'
import { Refused } from '../../errors.ts'
import { checkRecord } from '../../journal/record-format.ts'
import { putRecord, type RecordStore, type StoredRecord } from '../../journal/record-store.ts'
import { otherRequestText, type Runs, requestHashOf } from '../record/runs.ts'

const requesterFields = z.extend(requester, { requestHash: z.string() })

/** With what was asked for. */
export type RecordedRequester = z.infer<typeof requesterFields>

export interface Requesters {
  /** @throws Transient, Defect */
  find(runId: string): Promise<RecordedRequester | undefined>
  /** Puts it if nobody asked for this run before. Gives the first one. @throws Transient */
  record(runId: string, requester: Requester, request: RunRequest): Promise<RecordedRequester>
}

/** For the steps of a run, which only read. */
export function createRequesterReader(store: Pick<RecordStore, 'read'>): Pick<Requesters, 'find'> {
  return {
    async find(runId) {
      return requesterIn(await store.read(recordKey.requester(runId)))
    },
  }
}

/** @throws Defect for a record that does not fit */
export function requesterIn(record: StoredRecord | undefined): RecordedRequester | undefined {
  return record && checkRecord(requesterFields, record)
}

export function createRequesters(store: RecordStore, newId: NewId): Requesters {
  const { find } = createRequesterReader(store)
  return {
    find,

    async record(runId, { kind, by, at }, request) {
      const asked = { kind, by, at, requestHash: requestHashOf(request) }
      if ((await putRecord({ store, newId }, recordKey.requester(runId), asked)) === 'written') return asked
      const first = await find(runId)
      if (first === undefined) throw new TypeError(`the requester of run ${runId} is neither absent nor there`)
      return first
    },
  }
}

/**
 * Records that this person asks for the run, before it is started. The same person may ask again for the same, after a
 * crash too. @throws Refused for a run that another person asked for, that was asked for as another request, or that was
 * started before anybody was recorded. @throws Transient, Defect
 */
export async function recordPerson(
  runId: string,
  { by, at, request }: { readonly by: string; readonly at: string; readonly request: RunRequest },
  { runs, requesters }: { readonly runs: Pick<Runs, 'find'>; readonly requesters: Requesters },
): Promise<void> {
  // Else whoever asks for a run that is under way would stand for the one who started it.
  if ((await requesters.find(runId)) === undefined && (await runs.find(runId)) !== undefined) {
    throw new Refused(`run ${runId} was started, and nobody was recorded as who asked for it: ask under another id`)
  }
  const first = await requesters.record(runId, { kind: 'person', by, at }, request)
  if (first.requestHash !== requestHashOf(request)) throw new Refused(otherRequestText(runId))
  if (first.kind !== 'person' || !isSamePerson(first.by, by)) {
    throw new Refused(`run ${runId} was asked for by ${first.by}: ask under another id`)
  }
}
