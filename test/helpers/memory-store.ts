// The journal's store in memory, with DynamoDB's semantics for conditional puts and consistent reads. Faults come from
// a hook, so that a schedule can choose them.
import { Transient } from '../../core/errors.ts'
import type { RecordStore, StoredRecord } from '../../core/journal/record-store.ts'
import { frozenCopy } from './frozen-copy.ts'

/** `lost`: applied, but the answer is lost. `late`: fails now, and `flush` applies it. `refused`: never applied. */
export type WriteFault = 'lost' | 'late' | 'refused'

export interface MemoryStore extends RecordStore {
  readonly records: ReadonlyMap<string, StoredRecord>
  /** Applies the late writes, each under its condition, like a delayed request. */
  flush(): void
}

export function createMemoryStore(nextFault: () => WriteFault | undefined = () => undefined): MemoryStore {
  const records = new Map<string, StoredRecord>()
  let late: (() => void)[] = []

  async function write(record: StoredRecord, expectedVersion: number | undefined): Promise<'written' | 'stale'> {
    const written = frozenCopy(record)
    const apply = (): 'written' | 'stale' => {
      if (records.get(record.pk)?.version !== expectedVersion) return 'stale'
      records.set(record.pk, written)
      return 'written'
    }
    const fault = nextFault()
    if (fault === undefined) return apply()
    if (fault === 'lost') apply()
    if (fault === 'late') late.push(apply)
    throw new Transient(`the journal did not confirm a write (${fault})`)
  }

  return {
    records,
    read: async (pk) => records.get(pk),
    create: (record) => write(record, undefined),
    replace: (record, expectedVersion) => write(record, expectedVersion),
    flush() {
      const due = late
      late = []
      for (const apply of due) apply()
    },
  }
}
