// Absence of a movement proves nothing before its send can no longer take effect or show late.
import { describe, expect, test } from 'vitest'
import { timing as timingSchema } from '../../../core/contract/timing.ts'
import {
  orderFenceMs,
  orderFenceTiming,
  withdrawalFenceMs,
  withdrawalFenceTiming,
} from '../../../core/journal/fence.ts'

const EXP = Date.parse('2026-01-01T00:00:30Z') / 1000
const IAT = EXP - 30
const timing = { leewaySeconds: 60, orderVisibilitySeconds: 60 }
const fenceOf = (quoteExpiresAt: string | null, change: Partial<typeof timing> = {}) =>
  new Date(orderFenceMs({ exp: EXP, quoteExpiresAt, listenedUntil: HEARD }, { ...timing, ...change })).toISOString()
const HEARD = '2026-01-01T00:00:01Z'

describe('absence of an order proves nothing until', () => {
  test('its quote is dead and an accepted copy would be visible', () => {
    expect(fenceOf('2026-01-01T00:00:05.250Z')).toBe('2026-01-01T00:01:05.250Z')
  })

  test('its token is dead with all leeway, if its quote lives longer', () => {
    expect(fenceOf('2026-01-01T00:05:00Z')).toBe('2026-01-01T00:02:30.000Z')
  })

  test('its token is dead with all leeway, if the life of its quote is unknown', () => {
    expect(fenceOf(null)).toBe('2026-01-01T00:02:30.000Z')
  })

  test('the visibility has passed even without configured leeway, and the other way round', () => {
    expect(fenceOf(null, { leewaySeconds: 0 })).toBe('2026-01-01T00:01:30.000Z')
    expect(fenceOf(null, { orderVisibilitySeconds: 0 })).toBe('2026-01-01T00:01:30.000Z')
  })

  test('the same moment, in whatever zone the quote gave its end', () => {
    expect(fenceOf('2026-01-01T02:00:05+02:00')).toBe(fenceOf('2026-01-01T00:00:05Z'))
  })
})

describe('an attempt that was armed under another timing', () => {
  const long = { leewaySeconds: 60, orderVisibilitySeconds: 60, visibilitySeconds: 60 }
  const short = { leewaySeconds: 0, orderVisibilitySeconds: 15, visibilitySeconds: 15 }
  const attempt = { exp: EXP, listenedUntil: HEARD, quoteExpiresAt: null }

  test.each([
    ['shortened', long, short],
    ['prolonged', short, long],
  ])('waits for the longer of both when it was %s since', (_, then, now) => {
    expect(orderFenceMs({ ...attempt, fenceTiming: orderFenceTiming(then) }, now)).toBe(orderFenceMs(attempt, long))
    expect(withdrawalFenceMs({ ...attempt, fenceTiming: withdrawalFenceTiming(then) }, now)).toBe(
      withdrawalFenceMs(attempt, long),
    )
  })
})

describe('an order on which the service works longer than we listen', () => {
  const quoteExpiresAt = '2026-01-01T00:00:05Z'
  const attempt = { exp: EXP, quoteExpiresAt }
  const iso = (ms: number) => new Date(ms).toISOString()

  test('gets the same time again from the moment when we stopped listening', () => {
    expect(iso(orderFenceMs({ ...attempt, listenedUntil: '2026-01-01T00:00:15Z' }, timing))).toBe(
      '2026-01-01T00:01:15.000Z',
    )
  })

  test('is the same time again after our longest wait for the last copy, if the sender died before it recorded the answer', () => {
    expect(iso(orderFenceMs(attempt, timing))).toBe('2026-01-01T00:01:20.000Z')
  })

  test('also if it is a withdrawal whose token lives shorter than we listen', () => {
    const short = { leewaySeconds: 0, visibilitySeconds: 15 }
    expect(iso(withdrawalFenceMs({ exp: IAT + 5 }, short))).toBe('2026-01-01T00:00:35.000Z')
  })

  test('gets the least configurable visibility, which is as long as we listen', () => {
    expect(timingSchema.safeParse({ orderVisibilitySeconds: 14 }).success).toBe(false)
    expect(timingSchema.safeParse({ visibilitySeconds: 14 }).success).toBe(false)
    expect(timingSchema.parse({ orderVisibilitySeconds: 15 })).toMatchObject({
      orderVisibilitySeconds: 15,
      visibilitySeconds: 60,
    })
    expect(timingSchema.parse({}).orderVisibilitySeconds).toBe(60)
  })
})
