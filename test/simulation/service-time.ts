// What whoever reads the service meets: its time, the account of the key in hand, and whether it
// can be read at all. Service time is read with the product's own clock.
import { Transient } from '../../core/errors.ts'
import type { Transport } from '../../core/service/http.ts'
import { OWN_ACCOUNT } from './keys.ts'
import { type Machine, type Memory, RIGHT_WITHIN_MS } from './machine.ts'
import type { SignedService } from './signed-service.ts'
import type { Step } from './world-state.ts'

/** As long as core/keys keeps a key that it has read. */
const KEY_KEPT_MS = 5 * 60_000

export interface TimedModel {
  /** What `/v2/time` says: service time, unless it is told wrong. */
  readonly toldMs: number
  readonly isDown: boolean
  readonly truth: { readonly timeTripMs: number }
}

/** Each reading pauses, and may go unanswered as the schedule says. */
export function timeOf(model: TimedModel, machine: Machine): Transport {
  return {
    isPrivate: true,
    wireTarget: (target) => target,
    close: () => undefined,
    async exchange() {
      const askedMs = machine.nowMs()
      machine.trace.note('time')
      await machine.pause('looks')
      const { timeTripMs } = model.truth
      if (timeTripMs > 0) await machine.sleep(machine.scheduler.pick([0, timeTripMs / 3, timeTripMs]))
      if (model.isDown || machine.scheduler.takeFault('fault', 0.05, ['time unread'])) {
        machine.trace.note('unread')
        return { kind: 'unanswered', code: 'no_answer', text: 'no answer' }
      }
      const told = model.toldMs
      if (timeTripMs > 0) await machine.sleep(machine.scheduler.pick([0, timeTripMs / 3, timeTripMs]))
      machine.looked = undefined
      const body = Buffer.from(`{"now":${told}}`)
      machine.trace.note(told)
      await machine.hear()
      machine.memory.time = { askedMs, answeredMs: machine.nowMs(), told }
      return { kind: 'answered', status: 200, contentType: 'application/json', date: '', body, fault: undefined }
    },
  }
}

/** Whether what a machine takes for service time is service time, to within a second. */
export function hasRightClock(model: SignedService, { scheduler, memory }: Machine): boolean {
  const { time, aheadMs } = memory
  if (time === undefined) return false
  const tripMs = time.answeredMs - time.askedMs
  const nowMs = Number(time.told) + tripMs / 2 + (scheduler.nowMs + aheadMs - time.answeredMs)
  return Math.abs(nowMs - model.serviceMs) < RIGHT_WITHIN_MS
}

/** A read: pauses before and after, and may fail as the schedule says. `looks`: at what never changes. */
export type Read = <T>(look: (account: string) => T, step?: Step) => Promise<T>

/** Whoever reads sees the account of the key in hand. */
export function reading(service: SignedService, machine: Machine): Read {
  return async (look, step) => {
    machine.trace.note('read')
    await machine.pause(step)
    service.keys.mayBeReplaced(0.06)
    if (service.isDown || machine.scheduler.takeFault('fault', 0.05, ['read failed'])) {
      machine.trace.note('unread')
      throw new Transient('503 on a read')
    }
    const account = service.truth.strayKey ? service.keys.issued(keyOf(service, machine)).account : OWN_ACCOUNT
    const seen = look(account)
    // The moment in which the right key makes what another one has read look like ours.
    if (account !== OWN_ACCOUNT) service.keys.mayBeReplaced(0.3)
    machine.trace.note(seen)
    await machine.hear()
    return seen
  }
}

/** A look at what has moved: its absence may be taken for a proof. */
export function lookingAt<T>(service: SignedService, machine: Machine, look: (account: string) => T) {
  return (account: string): T => {
    const ms = machine.looked?.ms ?? service.serviceMs
    machine.looked = { ms, account }
    return look(account)
  }
}

/** The number of the key that a machine has in its hands; asked for where it has none. */
export function keyOf({ keys, truth, scheduler }: SignedService, { memory }: Machine): number {
  // Only where another may lie in its place does it matter how long one is kept.
  if (truth.strayKey && scheduler.nowMs - (memory.keyReadMs ?? 0) > KEY_KEPT_MS) memory.keyNumber = undefined
  if (memory.keyNumber === undefined) memory.keyReadMs = scheduler.nowMs
  memory.keyNumber ??= keys.current()
  return truth.strayKey ? keptKey(keys.held(memory.keyNumber), memory, scheduler.nowMs) : memory.keyNumber
}

/** The first change may come at any moment, for the key may have been kept for long; the next one not before minutes. */
function keptKey(number: number, memory: Memory, nowMs: number): number {
  const { keyInHand } = memory
  if (keyInHand === undefined) memory.keyInHand = { number, sinceMs: Number.NEGATIVE_INFINITY }
  else if (keyInHand.number !== number && nowMs - keyInHand.sinceMs > KEY_KEPT_MS)
    memory.keyInHand = { number, sinceMs: nowMs }
  return memory.keyInHand?.number ?? number
}
