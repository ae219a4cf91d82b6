// Remembers the record versions that a call has seen, so that its answer can report the version of its intent or run.
// An execution's history keeps that answer. It shows when a journal is older than its executions (`sluice journal
// verify`). A process answers one call at a time. No movement depends on this.
import { IntentKind, recordKey } from '../../core/contract/records.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'

const seen = new Map<string, number>()
/** Maximum number of remembered records. A call uses some hundreds at most. */
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

/** Call it before each call of the function. */
export function forgetVersions(): void {
  seen.clear()
}

/** Adds the version of the run's or intent's record, where the call has seen it. */
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

/** Both kinds may have the id. A step reads its own intent before the intents that hold a part of its budgets. */
function firstSeen(keys: readonly string[]): string | undefined {
  for (const pk of seen.keys()) if (keys.includes(pk)) return pk
  return undefined
}
