// The estimate of service time is never ahead of what it can prove, so a fence does not pass too early.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Defect, Transient } from '../../../core/errors.ts'
import type { Transport } from '../../../core/service/http.ts'
import { createServiceClock } from '../../../core/service/service-clock.ts'
import { manualClock } from '../../helpers/manual-clock.ts'

const NINE = Date.UTC(2026, 0, 31, 9)

/** Answers with the value of `read`, between the way there and the way back. */
function answeringTransport(way: () => void, read: () => { json: unknown; date?: string }): Transport {
  return {
    wireTarget: (target) => target,
    isEncryptedOrLocal: true,
    close: () => undefined,
    exchange: async () => {
      way()
      const { json, date = '' } = read()
      way()
      const body = Buffer.from(JSON.stringify(json))
      return { kind: 'answered', status: 200, contentType: 'application/json', date, body, fault: undefined }
    },
  }
}

/** A service whose clock is ahead by `aheadMs`, reached over a trip of `tripMs` in all. */
function setUp(options: { tripMs: number; aheadMs: number; body?: (nowMs: number) => unknown; date?: boolean }) {
  const clock = manualClock(NINE)
  let measurements = 0
  const read = () => {
    measurements++
    const nowMs = clock.nowMs() + options.aheadMs
    const json = options.body === undefined ? { epochMs: nowMs } : options.body(nowMs)
    return { json, date: options.date ? new Date(nowMs).toUTCString() : '' }
  }
  const transport = answeringTransport(() => clock.advance(options.tripMs / 2), read)
  return { clock, serviceClock: createServiceClock(transport, clock), measurements: () => measurements }
}

describe('a service clock', () => {
  it('is a Defect to read before it was measured', () => {
    const { serviceClock } = setUp({ tripMs: 0, aheadMs: 0 })
    expect(() => serviceClock.nowMs()).toThrow(Defect)
    expect(() => serviceClock.reachedMs()).toThrow(Defect)
  })

  it('estimates by the middle of the round trip, and is uncertain by half of it', async () => {
    const { clock, serviceClock } = setUp({ tripMs: 80, aheadMs: 5_000 })
    await serviceClock.measure()
    expect(serviceClock.nowMs()).toBe(clock.nowMs() + 5_000)
    expect(serviceClock.reachedMs()).toBe(clock.nowMs() + 5_000 - 40)
    clock.advance(1_234)
    expect(serviceClock.nowMs()).toBe(clock.nowMs() + 5_000)
  })

  const HOUR_MS = 3_600_000
  it.each([
    ['the first answer of all', [2 * HOUR_MS, 0]],
    ['a later answer', [0, 2 * HOUR_MS, 0]],
  ])('does not believe %s that is hours ahead, where the next one is not', async (_what, aheadMs) => {
    const times = aheadMs.values()
    const { clock, serviceClock } = setUp({
      ...{ tripMs: 0, aheadMs: 0 },
      body: (nowMs) => ({ epochMs: nowMs + (times.next().value ?? 0) }),
    })
    for (let measured = 1; measured < aheadMs.length; measured += 1) await serviceClock.measure()
    expect(serviceClock.nowMs()).toBe(clock.nowMs())
  })

  it('believes no time where two answers are hours apart, and both far from what it expects', async () => {
    const times = [2 * HOUR_MS, 5 * HOUR_MS].values()
    const body = (nowMs: number) => ({ epochMs: nowMs + (times.next().value ?? 0) })
    const { serviceClock } = setUp({ tripMs: 0, aheadMs: 0, body })
    await expect(serviceClock.measure()).rejects.toThrow(Transient)
    expect(() => serviceClock.nowMs()).toThrow(Defect)
  })

  it('never claims that a time is reached too early, wherever in the trip the reading was taken', async () => {
    const { clock, serviceClock } = setUp({ tripMs: 80, aheadMs: -3_000, body: (nowMs) => ({ epochMs: nowMs + 40 }) })
    await serviceClock.measure()
    expect(serviceClock.reachedMs()).toBeLessThanOrEqual(clock.nowMs() - 3_000)
  })

  it.each([
    ['the Date header', {}, true],
    ['whole seconds in the body', undefined, false],
  ])('is uncertain by a second more when read from %s', async (_what, body, date) => {
    const { clock, serviceClock } = setUp({
      tripMs: 60,
      aheadMs: 900,
      date,
      body: (nowMs) => body ?? { now: Math.floor(nowMs / 1000) },
    })
    await serviceClock.measure()
    expect(serviceClock.nowMs() - serviceClock.reachedMs()).toBe(1_030)
    expect(serviceClock.reachedMs()).toBeLessThanOrEqual(clock.nowMs() + 900)
  })

  it.each([
    [
      'the end of a window',
      (nowMs: number) => ({
        time: new Date(nowMs).toISOString().replace(/\.\d+/, ''),
        serviceWindowEndsAt: new Date(nowMs + 3_600_000).toISOString(),
      }),
    ],
    [
      'the end of maintenance',
      (nowMs: number) => ({ now: Math.floor(nowMs / 1000), currentMaintenanceUntil: nowMs + 3_600_000 }),
    ],
    [
      'a deadline alone, beside a Date header',
      (nowMs: number) => ({ serviceWindowEndsAt: new Date(nowMs + 3_600_000).toISOString() }),
    ],
    [
      'a wrong time under the right name, beside a Date header',
      (nowMs: number) => ({ time: new Date(nowMs + 60_000).toISOString() }),
    ],
  ])('does not take %s as the time', async (_what, body) => {
    const { clock, serviceClock } = setUp({ tripMs: 0, aheadMs: 0, date: true, body })
    await serviceClock.measure()
    expect(serviceClock.reachedMs()).toBeLessThanOrEqual(clock.nowMs())
    expect(Math.abs(serviceClock.nowMs() - clock.nowMs())).toBeLessThanOrEqual(1_000)
  })

  it('is a Defect when neither the body nor a header has a time', async () => {
    const { serviceClock } = setUp({ tripMs: 0, aheadMs: 0, body: () => ({}) })
    await expect(serviceClock.measure()).rejects.toThrow(Defect)
  })

  it('does not go back between measurements when this machine is set back, and claims no time that the machine ran ahead', async () => {
    const { clock, serviceClock } = setUp({ tripMs: 0, aheadMs: 0 })
    await serviceClock.measure()
    clock.advance(2_000)
    const seenMs = serviceClock.nowMs()
    clock.set(-10_000)
    expect(serviceClock.nowMs()).toBe(seenMs)
    expect(serviceClock.reachedMs()).toBe(clock.nowMs())
  })

  it('measures again only when the last measurement is too old, or this machine was set back', async () => {
    const { clock, serviceClock, measurements } = setUp({ tripMs: 0, aheadMs: 0 })
    await serviceClock.ensure(1_000)
    clock.advance(1_000)
    await serviceClock.ensure(1_000)
    expect(measurements()).toBe(1)
    clock.advance(1)
    await serviceClock.ensure(1_000)
    expect(measurements()).toBe(2)
    clock.set(-1)
    await serviceClock.ensure(1_000)
    expect(measurements()).toBe(3)
  })

  it('counts nothing as reached because this machine was set forward, and is measured again then', async () => {
    const { clock, serviceClock, measurements } = setUp({ tripMs: 0, aheadMs: 0 })
    await serviceClock.measure()
    const trueMs = clock.nowMs()
    clock.set(3_600_000)
    expect(serviceClock.reachedMs()).toBe(trueMs)
    await serviceClock.ensure(Number.POSITIVE_INFINITY)
    // The clock that is never set contradicts the first answer, and a second one agrees with it.
    expect(measurements()).toBe(3)
  })

  it('does not believe an answer that is ahead by as much as this machine was set forward', async () => {
    const clock = manualClock(NINE)
    const answers = [0, 2 * HOUR_MS, 0, 0, 0]
    const transport = answeringTransport(
      () => {},
      () => ({ json: { now: NINE + Number(answers.shift()) } }),
    )
    const serviceClock = createServiceClock(transport, clock)
    await serviceClock.measure()
    clock.set(2 * HOUR_MS)
    await expect(serviceClock.measure()).rejects.toThrow(Transient)
    await serviceClock.measure()
    expect(serviceClock.reachedMs()).toBe(NINE)
  })

  it('dates by the clock that runs while the machine sleeps, and counts times as reached that both have seen', async () => {
    const { clock, serviceClock } = setUp({ tripMs: 0, aheadMs: 0 })
    await serviceClock.measure()
    const asleepMs = clock.nowMs()
    clock.set(30_000)
    expect(serviceClock.nowMs()).toBe(asleepMs + 30_000)
    expect(serviceClock.reachedMs()).toBe(asleepMs)
  })

  it.each([-20_000, 20_000])('gives no latest time once this machine was set by %i ms', async (changeMs) => {
    const { clock, serviceClock } = setUp({ tripMs: 0, aheadMs: 0 })
    await serviceClock.measure()
    clock.advance(5_000)
    expect(serviceClock.atMostMs()).toBe(clock.nowMs())
    clock.set(changeMs)
    expect(serviceClock.atMostMs()).toBeUndefined()
  })

  it('is measured again, whatever its age, after the service contradicted it', async () => {
    const { serviceClock, measurements } = setUp({ tripMs: 0, aheadMs: 0 })
    await serviceClock.ensure(1_000)
    serviceClock.distrust()
    await serviceClock.ensure(1_000)
    await serviceClock.ensure(1_000)
    expect(measurements()).toBe(2)
  })

  it('keeps the measured offset, with its uncertainty', async () => {
    const { clock, serviceClock } = setUp({ tripMs: 80, aheadMs: 5_000 })
    expect(serviceClock.offset()).toBeUndefined()
    await serviceClock.measure()
    clock.advance(1_000)
    expect(serviceClock.offset()).toEqual({ offsetMs: 5_000, uncertaintyMs: 40 })
  })

  it('keeps the last measurement when a later one fails', async () => {
    const clock = manualClock(NINE)
    let isUp = true
    const up = { kind: 'answered', status: 200, contentType: 'application/json', date: '', fault: undefined } as const
    const transport: Transport = {
      wireTarget: (target) => target,
      isEncryptedOrLocal: true,
      close: () => undefined,
      exchange: async () =>
        isUp
          ? { ...up, body: Buffer.from(JSON.stringify({ now: NINE + 5 })) }
          : { kind: 'unanswered', code: 'no_answer', text: 'no answer' },
    }
    const serviceClock = createServiceClock(transport, clock)
    await serviceClock.measure()
    isUp = false
    await expect(serviceClock.measure()).rejects.toThrow(Transient)
    expect(serviceClock.nowMs()).toBe(NINE + 5)
  })

  it('never counts an unreached time as reached, however the clocks of this machine change', async () => {
    const ms = fc.integer({ min: 0, max: 100_000 })
    const step = fc.oneof(
      fc.record({ kind: fc.constant('passes' as const), ms }),
      fc.record({ kind: fc.constant('is set' as const), ms: fc.integer({ min: -100_000, max: 100_000 }) }),
      // The machine sleeps: time passes, and the clock that is never set stands still.
      fc.record({ kind: fc.constant('sleeps' as const), ms }),
      fc.record({ kind: fc.constant('measures' as const), ms: fc.integer({ min: 0, max: 3_000 }) }),
    )
    const happen = async (steps: readonly { readonly kind: string; readonly ms: number }[], isCoarse: boolean) => {
      let trueMs = NINE
      const clock = manualClock(NINE + 7_000)
      const pass = (durationMs: number) => {
        trueMs += durationMs
        clock.advance(durationMs)
      }
      let tripMs = 100
      const read = () => ({ json: { now: isCoarse ? Math.floor(trueMs / 1000) : Math.floor(trueMs) } })
      const transport = answeringTransport(() => pass(tripMs / 2), read)
      const serviceClock = createServiceClock(transport, clock)
      await serviceClock.measure()
      for (const { kind, ms } of steps) {
        if (kind === 'passes') pass(ms)
        if (kind === 'is set') clock.set(ms)
        if (kind === 'sleeps') {
          trueMs += ms
          clock.set(ms)
        }
        if (kind === 'measures') {
          tripMs = ms
          await serviceClock.measure()
        }
        expect(serviceClock.reachedMs()).toBeLessThanOrEqual(trueMs)
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.boolean(), happen), { numRuns: 300 })
  })
})
