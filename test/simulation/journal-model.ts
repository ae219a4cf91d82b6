// The journal's table as DynamoDB keeps it: conditional puts, consistent reads, and writes that are
// not applied, applied with a lost answer, applied late, or failed by the SDK's own retry. What an
// unclear answer means is settled by the product's own rule.
import { recordKey } from '../../functions/contract/records.ts'
import { Transient } from '../../functions/shared/errors.ts'
import { EVERYTHING } from '../../functions/shared/journal/halts.ts'
import type { RecordStore, StoredRecord } from '../../functions/shared/journal/record-store.ts'
import { CONDITION_FAILED, settleWrite } from '../../functions/shared/journal/settle-write.ts'
import type { Machine } from './machine.ts'
import { type Trace, textOf } from './trace.ts'

export interface JournalListener {
  /** A write was applied. */
  noteWrite(record: StoredRecord, before: StoredRecord | undefined): void
  /** An ARM is asked for, by a process that last read the switch so; `undefined` when it has not since its last ARM. */
  noteArm(sawHalt: boolean | undefined): void
}

/** The switch that a person throws; here only the one for everything is. */
const SWITCH = recordKey.halt(EVERYTHING)

/** How long a write may be on its way that its writer has given up. */
const LATE_MS = [50, 3_000, 40_000, 200_000]

export class JournalModel {
  readonly records = new Map<string, StoredRecord>()
  readonly #listener: JournalListener

  constructor(listener: JournalListener) {
    this.#listener = listener
  }

  /** One arrival of a put. Gives the name of the error, as the SDK would. */
  put(record: StoredRecord, expectedVersion: number | undefined): string | undefined {
    const before = this.records.get(record.pk)
    if (before?.version !== expectedVersion) return CONDITION_FAILED
    // Kept apart from the writer's own object, and never changed: every reader may have the same one.
    const kept = frozenCopy(record)
    this.records.set(record.pk, kept)
    this.#listener.noteWrite(kept, before)
    return undefined
  }

  /** All that is written. */
  text(): string {
    const keys = [...this.records.keys()].sort()
    return keys.map((pk) => textOf(this.records.get(pk))).join('\n')
  }

  /** As one environment reaches it: every call pauses before it acts and again before its answer is heard. */
  reachedFrom(machine: Machine): RecordStore {
    const { scheduler, memory } = machine
    const read = async (pk: string, trace: Trace): Promise<StoredRecord | undefined> => {
      trace.note(pk)
      // Only a person throws the switch, and no world that is explored has one who does.
      await machine.pause(pk === SWITCH ? 'looks' : 'acts')
      if (scheduler.takeFault('fault', 0.03, ['journal unread'])) {
        trace.note('unread')
        throw new Transient('the journal did not answer')
      }
      const record = this.records.get(pk)
      trace.note(record)
      if (pk === SWITCH) memory.sawHalt = record?.halted === true
      await machine.hear()
      return record
    }
    const write = async (record: StoredRecord, expectedVersion: number | undefined): Promise<'written' | 'stale'> => {
      const trace = machine.trace.begin(record)
      await machine.pause()
      const before = this.records.get(record.pk)
      if (record.state === 'ARMED' && before?.state === 'READY' && before.version === expectedVersion) {
        this.#listener.noteArm(memory.sawHalt)
        memory.sawHalt = undefined
      }
      const failure = this.#putOverNetwork(machine, record, expectedVersion)
      trace.note(failure)
      await machine.hear()
      try {
        const outcome = await settleWrite(record, failure, (pk) => read(pk, trace))
        trace.restart(outcome)
        return outcome
      } catch (error) {
        trace.restart(String(error))
        throw error
      }
    }
    return {
      read: (pk) => read(pk, machine.trace),
      create: (record) => write(record, undefined),
      replace: (record, expectedVersion) => write(record, expectedVersion),
    }
  }

  #putOverNetwork({ scheduler }: Machine, record: StoredRecord, version: number | undefined): string | undefined {
    const fault = scheduler.takeFault('fault', 0.1, ['write lost', 'write unheard', 'write late', 'write retried'])
    switch (fault) {
      case undefined:
        return this.put(record, version)
      case 'write lost':
        return TIMED_OUT
      case 'write unheard':
        this.put(record, version)
        return TIMED_OUT
      case 'write late': {
        const writing = frozenCopy(record)
        const text = () => `write of ${version} ${textOf(writing)}`
        scheduler.later(scheduler.pick(LATE_MS), () => this.put(writing, version), { text })
        return TIMED_OUT
      }
      case 'write retried':
        // The answer to the first was lost, so the SDK sent it again by itself.
        this.put(record, version)
        return this.put(record, version)
    }
  }
}

const TIMED_OUT = 'TimeoutError'

function frozenCopy<T>(value: T): T {
  // What is frozen came out of here before.
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T
  const copy = { ...value } as Record<string, unknown>
  for (const field in copy) {
    const entry = copy[field]
    if (entry === undefined) delete copy[field]
    else if (typeof entry === 'object') copy[field] = frozenCopy(entry)
  }
  return Object.freeze(copy) as T
}
