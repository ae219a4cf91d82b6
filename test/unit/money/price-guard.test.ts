import { describe, expect, test } from 'vitest'
import { parseDecimal } from '../../../functions/shared/money/decimal.ts'
import { findPriceBreach, type PriceGuard } from '../../../functions/shared/money/price-guard.ts'

const decimal = (text: string) => parseDecimal(text, 'test')
const guard = (side: 'BUY' | 'SELL', bounds: { worst?: string; bps?: number; reference?: string }): PriceGuard => ({
  side,
  worstRate: bounds.worst === undefined ? undefined : decimal(bounds.worst),
  maxSlippageBps: bounds.bps,
  reference: bounds.reference === undefined ? undefined : decimal(bounds.reference),
})

describe('findPriceBreach', () => {
  test.each([
    ['BUY', '100', '100', true],
    ['BUY', '100.000000000000000001', '100', false],
    ['BUY', '99', '100', true],
    ['SELL', '100', '100', true],
    ['SELL', '99.999999999999999999', '100', false],
    ['SELL', '101', '100', true],
  ] as const)('%s at %s with worstRate %s passes: %s', (side, rate, worst, passes) => {
    expect(findPriceBreach(decimal(rate), guard(side, { worst })) === undefined).toBe(passes)
  })

  test.each([
    ['BUY', '100.5', 50, true],
    ['BUY', '100.500000000000000001', 50, false],
    ['SELL', '99.5', 50, true],
    ['SELL', '99.499999999999999999', 50, false],
    ['BUY', '100', 0, true],
    ['SELL', '99.999999999999999999', 0, false],
  ] as const)('%s at %s, %i bps around 100, passes: %s', (side, rate, bps, passes) => {
    expect(findPriceBreach(decimal(rate), guard(side, { bps, reference: '100' })) === undefined).toBe(passes)
  })

  test('the stricter of two bounds decides', () => {
    expect(findPriceBreach(decimal('101'), guard('BUY', { worst: '102', bps: 50, reference: '100' }))).toMatch(/50 bps/)
    expect(findPriceBreach(decimal('101'), guard('BUY', { worst: '100', bps: 500, reference: '100' }))).toMatch(
      /worstRate/,
    )
  })

  test('a slippage bound without a reference is a programming error', () => {
    expect(() => findPriceBreach(decimal('1'), guard('BUY', { bps: 1 }))).toThrow(TypeError)
  })
})
