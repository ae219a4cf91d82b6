// Which versions of records a call has seen, so that its answer can tell the version of the intent or the run that it is
// about. An execution's history keeps that: a journal that is older than its executions shows by it (`sluice journal
// verify`). A process answers one call at a time. No movement rests on it.
import { IntentKind, recordKey } from '../../core/contract/records.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'

const seen = new Map<string, number>()
/** A call touches some hundred records at most; a journal's other records are not told of. */
const MOST_SEEN = 5_000

export function noteVersions(store: RecordStore): RecordStore {
  const note = (pk: string, version: number) => {
    if (seen.size >= MOST_SEEN) seen.clear()
    seen.set(pk, Math.max(version, seen.get(pk) ?? 0))
  }
  return {
    async read(pk) {
      const record = await store.read(pk)
      if (record !== undefined) note(pk, record.version)
      return record
    },
    async create(record) {
      const outcome = await store.create(record)
      if (outcome === 'written') note(record.pk, record.version)
      return outcome
    },
    async replace(record, expectedVersion) {
      const outcome = await store.replace(record, expectedVersion)
      if (outcome === 'written') note(record.pk, record.version)
      return outcome
    },
  }
}

/** Before each call. */
export function forgetVersions(): void {
  seen.clear()
}

/** With the version of the record of its run or its intent, where the call has seen one. */
export function withVersion<Output extends object>(output: Output): Output {
  const { runId, intentId }: { readonly runId?: unknown; readonly intentId?: unknown } = output
  const pk =
    typeof runId === 'string'
      ? recordKey.run(runId)
      : typeof intentId === 'string'
        ? firstSeen(Object.values(IntentKind).map((kind) => recordKey.intent(kind, intentId)))
        : undefined
  const version = pk === undefined ? undefined : seen.get(pk)
  return version === undefined ? output : { ...output, version }
}

/** Both kinds may have the id. A step reads its own intent before those that hold a part of its budgets. */
function firstSeen(keys: readonly string[]): string | undefined {
  for (const pk of seen.keys()) if (keys.includes(pk)) return pk
  return undefined
}
