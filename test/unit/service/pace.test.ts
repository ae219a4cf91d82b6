// Reads stay below the service's limit, in order, and a frozen process or a wrong clock does not hold them up.
import { describe, expect, it } from 'vitest'
import type { Answered, PaceHeaders } from '../../../core/service/http.ts'
import {
  createReadBudget,
  LONGEST_PAUSE_MS,
  LONGEST_WINDOW_MS,
  NO_TURN,
  requestedPauseMs,
  shareLeft,
} from '../../../core/service/pace.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { turnClock } from '../../helpers/turn-clock.ts'

const DATE = 'Sat, 31 Jan 2026 09:00:00 GMT'

function answer(status: number, headers: Partial<PaceHeaders>, date = DATE): Answered {
  const pace = { retryAfter: '', rateLimitLimit: '', rateLimitRemaining: '', rateLimitReset: '', ...headers }
  return { kind: 'answered', status, contentType: '', date, pace, body: Buffer.alloc(0), fault: undefined }
}

describe('the pause that an answer requests', () => {
  it.each<[string, number, Partial<PaceHeaders>, number | undefined]>([
    ['nothing', 200, {}, undefined],
    ['Retry-After in seconds', 429, { retryAfter: '3' }, 3_000],
    ['Retry-After of 0', 503, { retryAfter: '0' }, 0],
    ['Retry-After as a date', 503, { retryAfter: 'Sat, 31 Jan 2026 09:00:07 GMT' }, 7_000],
    ['Retry-After in the past', 503, { retryAfter: 'Sat, 31 Jan 2026 08:00:00 GMT' }, 0],
    ['Retry-After of a success', 201, { retryAfter: '3' }, undefined],
    ['Retry-After that says nothing', 429, { retryAfter: 'soon' }, undefined],
    ['Retry-After with a sign', 429, { retryAfter: '-3' }, undefined],
    ['Retry-After of an hour', 429, { retryAfter: '3600' }, 3_600_000],
    ['Retry-After beyond all measure', 429, { retryAfter: '99999999' }, LONGEST_PAUSE_MS],
    ['a limit not yet reached', 200, { rateLimitRemaining: '1', rateLimitReset: '9' }, undefined],
    ['a limit reached', 200, { rateLimitRemaining: '0', rateLimitReset: '9' }, 9_000],
    ['a limit reached, until a point in time', 200, { rateLimitRemaining: '0', rateLimitReset: '1769850011' }, 11_000],
    [
      'a limit reached, until a time beyond all measure',
      200,
      { rateLimitRemaining: '0', rateLimitReset: '3600' },
      60_000,
    ],
    ['a limit reached, without saying until when', 200, { rateLimitRemaining: '0' }, undefined],
    ['both', 429, { retryAfter: '2', rateLimitRemaining: '0', rateLimitReset: '9' }, 2_000],
  ])('%s', (_what, status, headers, pauseMs) => {
    expect(requestedPauseMs(answer(status, headers))).toBe(pauseMs)
  })

  it('is unknown from a date when the answer has no date of its own', () => {
    expect(requestedPauseMs(answer(503, { retryAfter: 'Sat, 31 Jan 2026 09:00:07 GMT' }, ''))).toBeUndefined()
  })
})

describe('a read budget', () => {
  it('lets a burst go at once, and then its rate', async () => {
    const clock = manualClock()
    const budget = createReadBudget({ clock, burst: 3, perSecond: 10 })
    const turns: number[] = []
    for (let read = 0; read < 6; read++) {
      expect(await budget.take(10_000)).toBe(true)
      turns.push(clock.monotonicMs())
    }
    expect(turns).toEqual([0, 0, 0, 100, 200, 300])
  })

  it('saves at most a burst in a quiet time', async () => {
    const clock = manualClock()
    const budget = createReadBudget({ clock, burst: 2, perSecond: 10 })
    await budget.take(0)
    clock.advance(3_600_000)
    expect([await budget.take(0), await budget.take(0), await budget.take(0)]).toEqual([true, true, false])
  })

  it('gives a turn to each of a hundred at once, in order, and never before its time', async () => {
    const clock = turnClock()
    const budget = createReadBudget({ clock, burst: 20, perSecond: 10 })
    const order: number[] = []
    const turns: number[] = []
    const reads = Array.from({ length: 100 }, async (_, index) => {
      expect(await budget.take(60_000)).toBe(true)
      order.push(index)
      turns.push(clock.monotonicMs())
    })
    await clock.untilQuiet()
    await Promise.all(reads)
    expect(order).toEqual(Array.from({ length: 100 }, (_, index) => index))
    expect(turns[19]).toBe(0)
    expect(turns[20]).toBe(100)
    expect(turns[99]).toBe(8_000)
  })

  it('reports at once, and takes nothing, when a turn would come too late', async () => {
    const clock = manualClock()
    const budget = createReadBudget({ clock, burst: 1, perSecond: 1 })
    expect([await budget.take(0), await budget.take(999)]).toEqual([true, false])
    expect(clock.monotonicMs()).toBe(0)
    expect(await budget.take(1_000)).toBe(true)
  })

  it('ends a pause for a process that was frozen through it, though its monotonic clock stood still', async () => {
    let nowMs = 0
    const budget = createReadBudget({ clock: { nowMs: () => nowMs, monotonicMs: () => 7, sleep: async () => {} } })
    budget.pause(60_000)
    expect([await budget.take(10_000), budget.hasLeft(1)]).toEqual([false, false])
    nowMs = 60_001
    expect([await budget.take(10_000), budget.hasLeft(1)]).toEqual([true, true])
  })

  it('holds back, during a pause, even those who were waiting when it was requested', async () => {
    const clock = turnClock()
    const budget = createReadBudget({ clock, burst: 1, perSecond: 10 })
    const turns: number[] = []
    const take = async () => {
      expect(await budget.take(60_000)).toBe(true)
      turns.push(clock.monotonicMs())
    }
    const reads = [take(), take(), take()]
    budget.pause(5_000)
    await clock.untilQuiet()
    await Promise.all(reads)
    expect(turns[0]).toBe(0)
    expect(Math.min(...turns.slice(1))).toBeGreaterThanOrEqual(5_000)
  })

  const said = (rateLimitRemaining: string, rateLimitReset = '9'): PaceHeaders => ({
    retryAfter: '',
    rateLimitLimit: rateLimitRemaining && '100',
    rateLimitRemaining,
    rateLimitReset: rateLimitRemaining && rateLimitReset,
  })

  it('goes as fast as the service allows while that gives its limit, and otherwise at its own rate', async () => {
    const clock = manualClock()
    const budget = createReadBudget({ clock, burst: 1, perSecond: 1 })
    budget.note(said('90'))
    expect([await budget.take(0), await budget.take(0), await budget.take(0)]).toEqual([true, true, true])
    // An answer that needs no key has no limit.
    budget.note(said(''))
    expect([await budget.take(0), await budget.take(0)]).toEqual([true, true])
    clock.advance(2 * 9_000)
    expect(budget.told()).toBeUndefined()
    expect([await budget.take(0), await budget.take(0)]).toEqual([true, false])
  })

  it.each([
    ['50', true],
    ['49', false],
    ['0', false],
  ])('that leaves half of the limit to others gives a turn at %s percent: %s', async (left, gives) => {
    const clock = manualClock()
    const budget = createReadBudget({ clock, leaves: 50 })
    budget.note(said(left))
    expect(await budget.take(8_999)).toBe(gives)
    expect(await budget.take(9_000)).toBe(true)
  })

  it('reports whether enough is left, until the window of that answer is over', () => {
    const clock = manualClock()
    const budget = createReadBudget({ clock })
    expect(budget.hasLeft(30)).toBe(true)
    budget.note(said('30'))
    expect([budget.hasLeft(30), budget.hasLeft(31)]).toEqual([true, false])
    clock.advance(9_000)
    expect(budget.hasLeft(31)).toBe(true)
    budget.pause(1)
    expect(budget.hasLeft(0)).toBe(false)
  })

  it('a read budget that leaves nothing to others continues down to the last request', async () => {
    const budget = createReadBudget({ clock: manualClock() })
    budget.note(said('1'))
    expect(await budget.take(0)).toBe(true)
  })

  it('is held back for a bounded time, whatever the service says', async () => {
    const clock = manualClock()
    const budget = createReadBudget({ clock, leaves: 50 })
    for (const reset of ['999999999', '1769850011', 'never', '-1', '']) budget.note(said('10', reset))
    expect(await budget.take(LONGEST_WINDOW_MS)).toBe(true)
    expect(clock.monotonicMs()).toBeLessThanOrEqual(LONGEST_WINDOW_MS)
  })

  it('gives no turn for as long as the service asked to wait, and tells how long that is', async () => {
    const clock = manualClock()
    const budget = createReadBudget({ clock })
    expect(budget.whyNone()).toBe(NO_TURN)
    budget.pause(LONGEST_PAUSE_MS)
    expect(await budget.take(10_000)).toBe(false)
    expect(budget.whyNone()).toMatch(/asked to wait.* 60 more minutes/)
  })

  it('ignores that this machine is set back by an hour', async () => {
    const clock = manualClock()
    const budget = createReadBudget({ clock, burst: 1, perSecond: 10 })
    await budget.take(0)
    clock.set(-3_600_000)
    expect(await budget.take(100)).toBe(true)
  })

  it.each([
    [0, 10],
    [1, 0],
    [1, Number.NaN],
  ])('refuses a burst of %s at %s a second', (burst, perSecond) => {
    expect(() => createReadBudget({ clock: manualClock(), burst, perSecond })).toThrow('read budget: expected')
  })
})

it.each<[string, string, number | undefined]>([
  ['1000', '250', 25],
  ['1000, 1000;w=60', '1', 0.1],
  ['100', '0', 0],
  ['100', '200', 100],
  ['0', '0', undefined],
  ['', '7', undefined],
  ['100', '', undefined],
  ['many', 'few', undefined],
  ['-5', '1', undefined],
])('of a limit of %j, %j is %j percent', (rateLimitLimit, rateLimitRemaining, share) => {
  expect(shareLeft({ retryAfter: '', rateLimitReset: '', rateLimitLimit, rateLimitRemaining })).toBe(share)
})
