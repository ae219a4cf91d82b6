// The journal's table as DynamoDB keeps it: conditional puts and consistent reads. A write may be lost, applied with a
// lost answer, applied late, or failed by the SDK's own retry. The product's own rule settles an unclear answer.
import { awsFault } from '../../core/aws-fault.ts'
import { Transient } from '../../core/errors.ts'
import type { RecordStore, StoredRecord } from '../../core/journal/record-store.ts'
import { CONDITION_FAILED, settleWrite } from '../../core/journal/record-store.ts'
import { frozenCopy } from '../helpers/frozen-copy.ts'
import type { Looked, Machine } from './machine.ts'
import type { Denial } from './schedule.ts'
import type { Scheduler } from './scheduler.ts'
import { findHaltedArm, isSwitch, seenOf } from './switches.ts'
import { type Trace, textOf } from './trace.ts'

export interface JournalListener {
  /** A write was applied. `looked`: what its writer has read about movements. */
  noteWrite(record: StoredRecord, before: StoredRecord | undefined, looked?: Looked): void
  /** A write was undone. */
  noteLoss(record: StoredRecord, before: StoredRecord | undefined): void
  /** A process asks for an ARM. `fault`: what is wrong with it, by the switches that the process has read. */
  noteArm(fault: string | undefined): void
}

/** Delay of a late write after its writer has stopped waiting, ms. */
const LATE_MS = [50, 3_000, 40_000, 200_000]
/** Number of writes that a power cut undoes where writes are not synced. */
const UNSYNCED = [1, 2, 3]

export class JournalModel {
  readonly records = new Map<string, StoredRecord>()
  /** Whether to keep the last writes, because they may be lost. */
  isLogged = false
  /** Called for every write after it has been judged. */
  onWrite: ((record: StoredRecord) => void) | undefined
  /** How long the answer to an ARM takes, ms. */
  armTakesMs = 0
  /** How long a machine waits right before an ARM, ms, while its clock is set back by as much. */
  lostBeforeArmMs = 0
  /** All names that a policy has had. */
  namesOf: (policy: string) => readonly string[] = (policy) => [policy]
  /** Returns what is wrong with an ARM by people's decisions. Absent: people are not asked. */
  findUnapprovedArm: ((armed: StoredRecord) => string | undefined) | undefined
  /** Returns what is wrong with an ARM by the budgets that its machine has read. Absent: no budget changes. */
  findOverdrawnArm: ((armed: StoredRecord, machine: Machine) => string | undefined) | undefined
  /** Returns what a machine may not do now. */
  denied: ((machine: Machine) => Denial['what'] | undefined) | undefined
  readonly #listener: JournalListener
  readonly #scheduler: Scheduler
  readonly #unsynced: { readonly record: StoredRecord; readonly before: StoredRecord | undefined }[] = []
  /** Cancels each write that is under way without its writer. */
  readonly #onTheirWay = new Set<() => void>()

  constructor(listener: JournalListener, scheduler: Scheduler) {
    this.#listener = listener
    this.#scheduler = scheduler
  }

  /** Adds a record from before the start. */
  addEarlier(record: StoredRecord): void {
    this.records.set(record.pk, frozenCopy(record))
  }

  /** Applies one arriving put. Returns the name of the error as the SDK would throw it. */
  put(record: StoredRecord, expectedVersion: number | undefined, looked?: Looked): string | undefined {
    const before = this.records.get(record.pk)
    if (before?.version !== expectedVersion) return CONDITION_FAILED
    // A frozen copy, so that every reader may share it and the writer cannot change it.
    const kept = frozenCopy(record)
    this.records.set(record.pk, kept)
    if (this.isLogged) this.#unsynced.push({ record: kept, before })
    this.#listener.noteWrite(kept, before, looked)
    this.onWrite?.(kept)
    return undefined
  }

  /** The power was cut: writes under way never arrive. Where writes are not synced, the last ones are undone. */
  loseUnwritten(): void {
    for (const takeBack of this.#onTheirWay) takeBack()
    this.#onTheirWay.clear()
    if (!this.isLogged) return
    for (let lost = this.#scheduler.pick(UNSYNCED); lost > 0; lost -= 1) {
      const last = this.#unsynced.pop()
      if (!last) return
      const { record, before } = last
      if (before) this.records.set(record.pk, before)
      else this.records.delete(record.pk)
      this.#listener.noteLoss(record, before)
    }
  }

  text(): string {
    const keys = [...this.records.keys()].sort()
    return keys.map((pk) => textOf(this.records.get(pk))).join('\n')
  }

  /**
   * The table as one environment reaches it. Every call pauses before it acts, and again before its answer is heard.
   */
  reachedFrom(machine: Machine): RecordStore {
    const { scheduler, memory } = machine
    const read = async (pk: string, trace: Trace): Promise<StoredRecord | undefined> => {
      trace.note(pk)
      // No explored world has a person or a breaker who sets a switch.
      await machine.pause(isSwitch(pk) ? 'looks' : 'acts')
      if (this.denied?.(machine) === 'reads') {
        trace.note('denied')
        throw awsFault('the journal did not answer a read', sdkError(NOT_PERMITTED))
      }
      if (scheduler.takeFault('fault', 0.03, ['journal unread'])) {
        trace.note('unread')
        throw new Transient('the journal did not answer')
      }
      const record = this.records.get(pk)
      machine.noteRead(record)
      trace.note(record)
      if (isSwitch(pk)) memory.sawSwitches = { ...memory.sawSwitches, [pk]: seenOf(record) }
      await machine.hear()
      return record
    }
    const write = async (record: StoredRecord, expectedVersion: number | undefined): Promise<'written' | 'stale'> => {
      const trace = machine.trace.begin(record)
      if (this.lostBeforeArmMs > 0 && record.state === 'ARMED' && this.records.get(record.pk)?.state === 'READY') {
        await machine.sleep(this.lostBeforeArmMs)
        memory.aheadMs -= this.lostBeforeArmMs
      }
      await machine.pause()
      const before = this.records.get(record.pk)
      const isArm = record.state === 'ARMED' && before?.state === 'READY' && before.version === expectedVersion
      if (isArm) {
        const policy = policyOf(record)
        const names = policy === undefined ? [] : this.namesOf(policy)
        this.#listener.noteArm(findHaltedArm(memory.sawSwitches, names))
        this.#listener.noteArm(this.findUnapprovedArm?.(record))
        this.#listener.noteArm(this.findOverdrawnArm?.(record, machine))
        memory.sawSwitches = undefined
      }
      // The read of the switches must be the last call before ARM, because a write in between takes time.
      if (!isArm) memory.sawSwitches = undefined
      const failure =
        this.#putDenied(machine, record, expectedVersion) ?? this.#putOverNetwork(machine, record, expectedVersion)
      trace.note(failure)
      if (isArm && this.armTakesMs > 0) await machine.sleep(this.armTakesMs)
      await machine.hear()
      try {
        const outcome = await settleWrite(record, failure === undefined ? undefined : sdkError(failure), (pk) =>
          read(pk, trace),
        )
        trace.restart(outcome)
        if (outcome === 'written') machine.noteWrite(record)
        return outcome
      } catch (error) {
        trace.restart(String(error))
        throw error
      }
    }
    return {
      async read(pk) {
        const record = await read(pk, machine.trace)
        if (record !== undefined) machine.sawBudgets.set(pk, record)
        return record
      },
      create: (record) => write(record, undefined),
      replace: (record, expectedVersion) => write(record, expectedVersion),
    }
  }

  #putDenied(machine: Machine, record: StoredRecord, version: number | undefined): string | undefined {
    if (this.denied?.(machine) !== 'writes') return undefined
    // The answer to the first try was lost, and then the permission. The SDK's own second try is denied.
    if (machine.scheduler.takeFault('fault', 0.3, ['denied once written'])) this.put(record, version, machine.looked)
    return NOT_PERMITTED
  }

  #putOverNetwork(
    { scheduler, looked }: Machine,
    record: StoredRecord,
    version: number | undefined,
  ): string | undefined {
    const fault = scheduler.takeFault('fault', 0.1, ['write lost', 'write unheard', 'write late', 'write retried'])
    switch (fault) {
      case undefined:
        return this.put(record, version, looked)
      case 'write lost':
        return TIMED_OUT
      case 'write unheard':
        this.put(record, version, looked)
        return TIMED_OUT
      case 'write late': {
        const writing = frozenCopy(record)
        const text = () => `write of ${version} ${textOf(writing)}`
        const arrive = () => {
          this.#onTheirWay.delete(takeBack)
          this.put(writing, version, looked)
        }
        const takeBack = scheduler.later(scheduler.pick(LATE_MS), arrive, { text })
        this.#onTheirWay.add(takeBack)
        return TIMED_OUT
      }
      case 'write retried':
        // The answer to the first try was lost, so the SDK sent the write again.
        this.put(record, version, looked)
        return this.put(record, version, looked)
    }
  }
}

/** The policy for which an intent moves. */
function policyOf({ params }: StoredRecord): string | undefined {
  return (params as { readonly policy?: string }).policy
}

const TIMED_OUT = 'TimeoutError'
/** The name that DynamoDB gives the error. */
export const NOT_PERMITTED = 'AccessDeniedException'

/** An error as the SDK throws it. */
function sdkError(name: string): Error {
  return Object.assign(new Error(), { name })
}
