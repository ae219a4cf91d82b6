import { describe, expect, test } from 'vitest'
import { orderFenceMs } from '../../../functions/shared/journal/fence.ts'

const EXP = Date.parse('2026-01-01T00:00:30Z') / 1000
const timing = { leewaySeconds: 60, orderVisibilitySeconds: 10 }
const fenceOf = (quoteExpiresAt: string | null, change: Partial<typeof timing> = {}) =>
  new Date(orderFenceMs({ exp: EXP, quoteExpiresAt }, { ...timing, ...change })).toISOString()

describe('absence of an order proves nothing until', () => {
  test('its quote is dead and an accepted copy would be visible', () => {
    expect(fenceOf('2026-01-01T00:00:05.250Z')).toBe('2026-01-01T00:00:15.250Z')
  })

  test('its token is dead with all leeway, where its quote lives longer', () => {
    expect(fenceOf('2026-01-01T00:05:00Z')).toBe('2026-01-01T00:01:40.000Z')
  })

  test('its token is dead with all leeway, where the life of its quote is unknown', () => {
    expect(fenceOf(null)).toBe('2026-01-01T00:01:40.000Z')
  })

  test('the visibility has passed also where no leeway is configured, and the other way round', () => {
    expect(fenceOf(null, { leewaySeconds: 0 })).toBe('2026-01-01T00:00:40.000Z')
    expect(fenceOf(null, { orderVisibilitySeconds: 0 })).toBe('2026-01-01T00:01:30.000Z')
  })

  test('the same moment in whatever zone the quote gave its end', () => {
    expect(fenceOf('2026-01-01T02:00:05+02:00')).toBe(fenceOf('2026-01-01T00:00:05Z'))
  })
})
