// Models the conditions under which the service is read: its time, the account of the present key, and outages. The
// product's own clock reads service time.
import { Transient } from '../../core/errors.ts'
import type { Transport } from '../../core/service/http.ts'
import { OWN_ACCOUNT } from './keys.ts'
import { type Machine, type Memory, RIGHT_WITHIN_MS } from './machine.ts'
import type { SignedService } from './signed-service.ts'
import type { Step } from './world-state.ts'

/** How long core/keys keeps a key that it has read. */
const KEY_KEPT_MS = 5 * 60_000

export interface TimedModel {
  /** Returns the time that `/v2/time` reports: service time, unless the service reports it wrong. */
  readonly tellTime: () => number
  readonly isDown: boolean
  readonly truth: { readonly timeTripMs: number }
}

/** Each reading of the time pauses, and may stay unanswered as the schedule says. */
export function timeOf(model: TimedModel, machine: Machine): Transport {
  return {
    isEncryptedOrLocal: true,
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
      const shownMs = model.tellTime()
      if (timeTripMs > 0) await machine.sleep(machine.scheduler.pick([0, timeTripMs / 3, timeTripMs]))
      machine.looked = undefined
      const body = Buffer.from(`{"now":${shownMs}}`)
      machine.trace.note(shownMs)
      await machine.hear()
      machine.memory.time = { askedMs, answeredMs: machine.nowMs(), told: shownMs }
      return { kind: 'answered', status: 200, contentType: 'application/json', date: '', body, fault: undefined }
    },
  }
}

/** Whether a machine's idea of service time is right to within a second. */
export function hasRightClock(model: SignedService, { scheduler, memory }: Machine): boolean {
  const { time, aheadMs } = memory
  if (time === undefined) return false
  const tripMs = time.answeredMs - time.askedMs
  const nowMs = Number(time.told) + tripMs / 2 + (scheduler.nowMs + aheadMs - time.answeredMs)
  return Math.abs(nowMs - model.serviceMs) < RIGHT_WITHIN_MS
}

/**
 * A read. It pauses before and after, and may fail as the schedule says. Step `looks`: it reads something that never
 * changes.
 */
export type Read = <T>(look: (account: string) => T, step?: Step) => Promise<T>

/** A reader sees the account of the present key. */
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
    // In this moment the right key can make another account's data look like ours.
    if (account !== OWN_ACCOUNT) service.keys.mayBeReplaced(0.3)
    machine.trace.note(seen)
    await machine.hear()
    return seen
  }
}

/** A read of movements, whose absence may serve as a proof. */
export function asSeenBy<T>(service: SignedService, machine: Machine, look: (account: string) => T) {
  return (account: string): T => {
    const ms = machine.looked?.ms ?? service.serviceMs
    machine.looked = { ms, account }
    return look(account)
  }
}

/** The number of the key that a machine uses. A machine without a key asks for it. */
export function keyOf({ keys, truth, scheduler }: SignedService, { memory }: Machine): number {
  // The age of a cached key matters only where somebody may replace it.
  if (truth.strayKey && scheduler.nowMs - (memory.keyReadMs ?? 0) > KEY_KEPT_MS) memory.keyNumber = undefined
  if (memory.keyNumber === undefined) memory.keyReadMs = scheduler.nowMs
  memory.keyNumber ??= keys.current()
  return truth.strayKey ? keptKey(keys.held(memory.keyNumber), memory, scheduler.nowMs) : memory.keyNumber
}

/** The first change may come at any moment, because the key may be cached for long. The next change takes minutes. */
function keptKey(number: number, memory: Memory, nowMs: number): number {
  const { keyInHand } = memory
  if (keyInHand === undefined) memory.keyInHand = { number, sinceMs: Number.NEGATIVE_INFINITY }
  else if (keyInHand.number !== number && nowMs - keyInHand.sinceMs > KEY_KEPT_MS)
    memory.keyInHand = { number, sinceMs: nowMs }
  return memory.keyInHand?.number ?? number
}
