// Reads and writes the records of runs in the journal. A new run is written only if its id is unknown, and a known run
// only if its stored version is unchanged. This file does not decide which move a run makes.

import type { NewId } from '../../clock.ts'
import { recordKey } from '../../contract/records.ts'
import type { RunRequest } from '../../contract/runs.ts'
import { Refused, Transient } from '../../errors.ts'
import { putRecord, type RecordStore, type RecordWriter } from '../../journal/record-store.ts'
import { hashParams } from '../../params-hash.ts'
import { type RequestedPolicy, readRequest } from './request.ts'
import { fieldsOfRun, RUNNING, type RunMove, type RunRecord, runOfRecord } from './run-record.ts'

/** The fields of a new run: the store adds the others. */
export type NewRun = Omit<RunRecord, 'version' | 'requestHash' | 'phases' | 'results'>

/**
 * Builds a new run. `requestedPolicy`: the policy that `request` names, as it is now. `notAfter`: service time after which
 * the run sends nothing.
 */
export function newRun({
  runId,
  startedAt,
  entry,
  request,
  requestedPolicy: { name, policy, policyHash },
  notAfter,
}: Pick<RunRecord, 'runId' | 'startedAt' | 'entry' | 'request' | 'notAfter'> & {
  readonly requestedPolicy: RequestedPolicy
}): NewRun {
  return {
    outcome: RUNNING,
    runId,
    policy: name,
    kind: policy.kind,
    startedAt,
    entry,
    ...(request.trigger && { trigger: request.trigger }),
    request,
    // The run will be planned by this copy, and its guards apply to the legs. A run that waited gets a newer copy.
    asPlanned: policy,
    policyHash,
    notAfter,
  }
}

export interface Runs {
  /**
   * @throws Transient.
   * @throws Defect for a record with wrong fields, or in a format that this release does not know
   */
  find(runId: string): Promise<RunRecord | undefined>
  /**
   * Writes the run. If its id is stored already, returns the stored run.
   * @throws Refused if that run has another request.
   * @throws Transient
   */
  open(run: NewRun): Promise<RunRecord>
  /**
   * Applies a move to `run`, if its stored version is still the same. After Transient, read the run again before you try again.
   * @throws Transient if another execution changed the run first, or if the result of the write is unknown
   */
  advance(run: RunRecord, move: RunMove): Promise<RunRecord>
}

export function createRuns(store: RecordStore, newId: NewId): Runs {
  const writer: RecordWriter = { store, newId }

  async function find(runId: string): Promise<RunRecord | undefined> {
    const record = await store.read(recordKey.run(runId))
    return record && runOfRecord(record)
  }

  return {
    find,

    async open(run) {
      const fresh: RunRecord = { ...run, version: 1, requestHash: requestHashOf(run.request), phases: [], results: {} }
      if ((await putRecord(writer, recordKey.run(fresh.runId), fieldsOfRun(fresh))) === 'written') return fresh
      const stored = await find(run.runId)
      if (!stored) throw new TypeError(`run ${run.runId} could be neither read nor written`)
      if (!isSameRequest(stored, run.request)) throw new Refused(otherRequestText(run.runId))
      return stored
    },

    async advance(run, move) {
      const moved: RunRecord = { ...run, ...move, version: run.version + 1 }
      const outcome = await putRecord(writer, recordKey.run(run.runId), fieldsOfRun(moved), run.version)
      if (outcome === 'written') return moved
      throw new Transient(`another execution moved run ${run.runId} meanwhile`)
    },
  }
}

/** Leaves out the trigger, because two different triggers may start the same run. */
export function requestHashOf({ trigger: _trigger, ...request }: RunRequest): string {
  return hashParams(request)
}

export function isSameRequest(stored: RunRecord, request: RunRequest): boolean {
  return stored.requestHash === requestHashOf(request)
}

/**
 * Whether an execution's input and `request` ask for the same run. Both are untrusted, so both are parsed. AWS
 * deletes the input of an old execution. Then nothing contradicts the request, and the answer is true.
 */
export function isRunRequestedBy(
  execution: { readonly input?: string | undefined } | undefined,
  request: unknown,
): boolean {
  if (execution?.input === undefined) return true
  const [started, requested] = [readRequest(JSON.parse(execution.input)), readRequest(request)]
  if (!('request' in started && 'request' in requested)) return false
  return requestHashOf(started.request) === requestHashOf(requested.request)
}

/** Message for a run id that another request has used. A new id would be a new run, which moves money again. */
export function otherRequestText(runId: string): string {
  return `run ${runId} was already asked for with another request; first look at what became of it, because a new id would move money again`
}
