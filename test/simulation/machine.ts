// One environment of a function: its process, what it remembers between calls, and a clock of its
// own, which may be set back or on at any moment when the process waits for somebody.
import type { Clock } from '../../core/clock.ts'
import { ANY_INTENT, IntentState } from '../../core/contract/records.ts'
import type { Pin } from '../../core/journal/pinned-account.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { Scheduler } from './scheduler.ts'
import type { SeenSwitches } from './switches.ts'
import { Trace, textOf } from './trace.ts'
import type { Step } from './world-state.ts'

/** What outlives a call in a warm environment; all of it, so that a world's state can be told. */
export interface Memory {
  /** How far its clock has been set on. */
  aheadMs: number
  /** The last answer of `/v2/time`, and when it was asked for and heard, by its own clock. */
  time?: { readonly askedMs: number; readonly answeredMs: number; readonly told: unknown }
  /** The key, read once. */
  keyNumber?: number | undefined
  keyReadMs?: number
  /** The one that it works with, and since when; where somebody may put another in its place. */
  keyInHand?: { readonly number: number; readonly sinceMs: number } | undefined
  /** Accounts by key, the account of the journal, and intents at an end, as the product remembers them. */
  readonly accounts: ToldMap<string, string | undefined>
  readonly pin: { pinned?: Pin | undefined }
  readonly ended: ToldMap<string, boolean>
  /** The switches as they were last read; `undefined` when that was before the last ARM. */
  sawSwitches?: SeenSwitches | undefined
}

/** A map that is told with what it holds. */
class ToldMap<Key, Value> extends Map<Key, Value> {
  toJSON(): readonly unknown[] {
    return [...this].map(([key, value]) => [key, value ?? null])
  }
}

/**
 * The looks at what has moved that a call has taken since it last read the time: the first one's service time, and
 * whose account was read. Only the witness asks; no part of a state.
 */
export interface Looked {
  readonly ms: number
  readonly account: string
}

/** A clock that is this close to the service's is right. */
export const RIGHT_WITHIN_MS = 1_000
const CHANGES_MS = [-3_600_000, -20_000, 20_000, 3_600_000]

export class Machine implements Clock {
  readonly scheduler: Scheduler
  /** Its name, different for each. */
  readonly process: string
  readonly memory: Memory = { aheadMs: 0, accounts: new ToldMap(), pin: {}, ended: new ToldMap() }
  /** What its present call has observed. */
  readonly trace = new Trace()
  /** How often it has looked at its clock. */
  looks = 0
  /** How often it has been called. */
  calls = 0
  /** Of its present call. */
  intentId = ''
  verb = ''
  looked: Looked | undefined
  /** Whether its present call knows that its intent is DONE: it has read that, or written it. Only who judges asks. */
  knowsDone = false

  constructor(scheduler: Scheduler, process: string) {
    this.scheduler = scheduler
    this.process = process
  }

  /** A call begins: what an earlier one observed is forgotten, but for its memory. */
  beginCall(verb: string, input: unknown, intentId: string): void {
    this.calls += 1
    this.intentId = intentId
    this.verb = verb
    this.looked = undefined
    this.knowsDone = false
    this.trace.restart(verb, input)
  }

  /** Its present call has read or written this. */
  noteRecord(record: StoredRecord | undefined): void {
    const isOwn = record?.pk.startsWith(ANY_INTENT) === true && record.intentId === this.intentId
    if (isOwn && record.state === IntentState.Done) this.knowsDone = true
  }

  nowMs(): number {
    const nowMs = this.scheduler.nowMs + this.memory.aheadMs
    this.trace.noteTime(nowMs)
    this.looks += 1
    return nowMs
  }

  /** Never set: only `nowMs` is. */
  monotonicMs(): number {
    return this.scheduler.steadyClock === 'none' ? this.nowMs() : this.scheduler.steadyMs
  }

  sleep(durationMs: number): Promise<void> {
    return this.scheduler.park(this.process, durationMs, this)
  }

  /** Before every effect: here, and in `hear`, the process may crash, freeze, or find its clock changed. */
  pause(step: Step = 'acts'): Promise<void> {
    return this.#park(step)
  }

  /** After an effect, before its answer is heard. */
  hear(): Promise<void> {
    return this.#park('hears')
  }

  /** What is remembered, and what its present call has observed. */
  text(): string {
    return `${this.process} ${textOf(this.memory)} ${this.trace.text()}`
  }

  #park(step: Step): Promise<void> {
    const { scheduler, memory } = this
    if (scheduler.takeFault('clock', 0.02, ['clock set'])) memory.aheadMs += scheduler.pick(CHANGES_MS)
    return scheduler.park(this.process, 0, this, step)
  }
}
