// Models one environment of a function: its process, its memory between calls, and its own clock. The clock may change
// at any moment in which the process waits.
import type { Clock } from '../../core/clock.ts'
import { ANY_INTENT, IntentState } from '../../core/contract/records.ts'
import type { Pin } from '../../core/journal/pinned-account.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { DrawnGuards } from './drawn-guards.ts'
import type { Scheduler } from './scheduler.ts'
import type { SeenSwitches } from './switches.ts'
import { Trace, textOf } from './trace.ts'
import type { Step } from './world-state.ts'

/**
 * Everything that outlives a call in a warm environment. It must be complete, because it is part of a world's state.
 */
export interface Memory {
  /** How far its clock is ahead, ms. */
  aheadMs: number
  /** The last answer of `/v2/time`, and when it was asked for and heard, by its own clock. */
  time?: { readonly askedMs: number; readonly answeredMs: number; readonly told: unknown }
  /** The key, read once. */
  keyNumber?: number | undefined
  keyReadMs?: number
  /** The key in use and since when; set only where somebody may replace it. */
  keyInHand?: { readonly number: number; readonly sinceMs: number } | undefined
  /** Accounts by key, the account of the journal, and ended intents, as the product remembers them. */
  readonly accounts: SerialisableMap<string, string | undefined>
  readonly pin: { pinned?: Pin | undefined }
  readonly ended: SerialisableMap<string, boolean>
  /** The switches as last read; `undefined` if that was before the last ARM. */
  sawSwitches?: SeenSwitches | undefined
}

/** A map that is serialised with its content. */
class SerialisableMap<Key, Value> extends Map<Key, Value> {
  toJSON(): readonly unknown[] {
    return [...this].map(([key, value]) => [key, value ?? null])
  }
}

/**
 * The service time and the account of a call's first read of movements since it last read the time. Only the witness
 * uses it; it is not part of a state.
 */
export interface Looked {
  readonly ms: number
  readonly account: string
}

/** A clock within this distance of the service's is right. */
export const RIGHT_WITHIN_MS = 1_000
const CHANGES_MS = [-3_600_000, -20_000, 20_000, 3_600_000]

export class Machine implements Clock {
  readonly scheduler: Scheduler
  /** A name, unique in its world. */
  readonly process: string
  readonly memory: Memory = { aheadMs: 0, accounts: new SerialisableMap(), pin: {}, ended: new SerialisableMap() }
  /** The observations of its present call. */
  readonly trace = new Trace()
  /** Number of times that it has read its clock. */
  looks = 0
  calls = 0
  intentId = ''
  verb = ''
  looked: Looked | undefined
  /** The guards that its function was deployed with, and the budgets as its present call read them last. Only the judge uses them. */
  deployed: DrawnGuards | undefined
  readonly sawBudgets = new Map<string, StoredRecord>()
  /**
   * Whether its present call has found its intent DONE, or made it so. What it reads of its intent later, as of a sender
   * of the lane, decides nothing. Only the judge uses it.
   */
  knowsDone: boolean | undefined

  constructor(scheduler: Scheduler, process: string) {
    this.scheduler = scheduler
    this.process = process
  }

  /** Begins a call: it forgets what earlier calls observed, and keeps its memory. */
  beginCall(verb: string, input: unknown, intentId: string): void {
    this.calls += 1
    this.intentId = intentId
    this.verb = verb
    this.looked = undefined
    this.knowsDone = undefined
    this.sawBudgets.clear()
    this.trace.restart(verb, input)
  }

  noteRead(record: StoredRecord | undefined): void {
    if (this.#isOwn(record)) this.knowsDone ??= record.state === IntentState.Done
  }

  noteWrite(record: StoredRecord): void {
    if (this.#isOwn(record)) this.knowsDone = record.state === IntentState.Done
  }

  #isOwn(record: StoredRecord | undefined): record is StoredRecord {
    return record?.pk.startsWith(ANY_INTENT) === true && record.intentId === this.intentId
  }

  nowMs(): number {
    const nowMs = this.scheduler.nowMs + this.memory.aheadMs
    this.trace.noteTime(nowMs)
    this.looks += 1
    return nowMs
  }

  /** Changes of the clock affect only `nowMs`. */
  monotonicMs(): number {
    return this.scheduler.steadyClock === 'none' ? this.nowMs() : this.scheduler.steadyMs
  }

  sleep(durationMs: number): Promise<void> {
    return this.scheduler.park(this.process, durationMs, this)
  }

  /** Pauses before every effect. Here and in `hear` the process may crash or freeze, or its clock may change. */
  pause(step: Step = 'acts'): Promise<void> {
    return this.#park(step)
  }

  /** Pauses after an effect, before its answer is heard. */
  hear(): Promise<void> {
    return this.#park('hears')
  }

  /** Its memory, and what its present call has observed. */
  text(): string {
    return `${this.process} ${textOf(this.memory)} ${this.trace.text()}`
  }

  #park(step: Step): Promise<void> {
    const { scheduler, memory } = this
    if (scheduler.takeFault('clock', 0.02, ['clock set'])) memory.aheadMs += scheduler.pick(CHANGES_MS)
    return scheduler.park(this.process, 0, this, step)
  }
}
