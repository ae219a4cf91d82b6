// A quote that is worse than any bound allows is refused, whatever rate it reports.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findPriceBreach, type PriceGuard } from '../../../core/guards/price-guard.ts'
import { type Decimal, parseDecimal } from '../../../core/money/decimal.ts'

const decimal = (text: string) => parseDecimal(text, 'test')
interface Texts {
  worst?: string
  bps?: number
  reference?: string
  planned?: string
}
const guard = (side: 'BUY' | 'SELL', bounds: Texts): PriceGuard => ({
  side,
  worstRate: bounds.worst === undefined ? undefined : decimal(bounds.worst),
  maxSlippageBps: bounds.bps,
  reference: bounds.reference === undefined ? undefined : decimal(bounds.reference),
  planned: bounds.planned === undefined ? undefined : decimal(bounds.planned),
})
/** One base unit at this rate. */
const at = (rate: string) => ({ rate: decimal(rate), baseAmount: decimal('1'), quoteAmount: decimal(rate) })

describe('findPriceBreach', () => {
  test.each([
    ['BUY', '100', '100', true],
    ['BUY', '100.000000000000000001', '100', false],
    ['BUY', '99', '100', true],
    ['SELL', '100', '100', true],
    ['SELL', '99.999999999999999999', '100', false],
    ['SELL', '101', '100', true],
  ] as const)('%s at %s with worstRate %s passes: %s', (side, rate, worst, passes) => {
    expect(findPriceBreach(at(rate), guard(side, { worst })) === undefined).toBe(passes)
  })

  test.each([
    ['BUY', '100.5', 50, true],
    ['BUY', '100.500000000000000001', 50, false],
    ['SELL', '99.5', 50, true],
    ['SELL', '99.499999999999999999', 50, false],
    ['BUY', '100', 0, true],
    ['SELL', '99.999999999999999999', 0, false],
  ] as const)('%s at %s, %i bps around 100, passes: %s', (side, rate, bps, passes) => {
    expect(findPriceBreach(at(rate), guard(side, { bps, reference: '100' })) === undefined).toBe(passes)
  })

  test('the stricter of two bounds decides', () => {
    expect(findPriceBreach(at('101'), guard('BUY', { worst: '102', bps: 50, reference: '100' }))).toMatch(/50 bps/)
    expect(findPriceBreach(at('101'), guard('BUY', { worst: '100', bps: 500, reference: '100' }))).toMatch(/worstRate/)
  })

  test('a slippage bound without a reference is a programming error', () => {
    expect(() => findPriceBreach(at('1'), guard('BUY', { bps: 1 }))).toThrow(TypeError)
  })

  test('a sale at 59,802 is refused if 67,196 was planned, although the price has fallen to 60,100 since', () => {
    const bounds = guard('SELL', { bps: 50, reference: '60100', planned: '67196' })
    expect(findPriceBreach(at('59802'), bounds)).toBe(
      'the quoted rate 59802 is more than 50 bps below the rate of the plan 67196',
    )
    expect(findPriceBreach(at('66900'), bounds)).toBeUndefined()
  })

  test("the plan's rate does not allow a quote that is worse than the present price allows", () => {
    const bounds = guard('BUY', { bps: 50, reference: '60000', planned: '67196' })
    expect(findPriceBreach(at('60500'), bounds)).toMatch(/bps above the indicative rate 60000/)
  })

  test('amounts that give 67,277 under a reported rate of 90,000 do not pass a worst rate of 80,000', () => {
    const quoted = { rate: decimal('90000'), baseAmount: decimal('0.1'), quoteAmount: decimal('6727.7') }
    expect(findPriceBreach(quoted, guard('SELL', { worst: '80000' }))).toBe(
      'the rate 67277 of the quoted amounts is below worstRate 80000',
    )
  })

  test('a purchase of nothing is refused, and so is a sale for nothing', () => {
    const nothing = { rate: decimal('1'), baseAmount: decimal('0'), quoteAmount: decimal('1') }
    expect(findPriceBreach(nothing, guard('BUY', { worst: '1000000' }))).toMatch(/of nothing of the quoted amounts/)
    const given = { rate: decimal('1'), baseAmount: decimal('1'), quoteAmount: decimal('0') }
    expect(findPriceBreach(given, guard('SELL', { worst: '0.000001' }))).toMatch(/the rate 0 of the quoted amounts/)
  })

  test('every passing price is within every bound, by the reported rate and by the amounts, and all others are refused', () => {
    const near = fc.bigInt(90n, 110n).map((units) => (units * 10n ** 18n) as Decimal)
    const exact = fc.bigInt(1n, 10n ** 24n).map((units) => units as Decimal)
    const bounds = fc.record({
      side: fc.constantFrom<'BUY' | 'SELL'>('BUY', 'SELL'),
      worstRate: fc.option(near, { nil: undefined }),
      maxSlippageBps: fc.option(fc.integer({ min: 0, max: 1500 }), { nil: undefined }),
      reference: near,
      planned: fc.option(near, { nil: undefined }),
    })
    const quotes = fc.oneof(
      fc.record({ rate: near, baseAmount: near, quoteAmount: near.map((amount) => (amount * 100n) as Decimal) }),
      fc.record({ rate: exact, baseAmount: exact, quoteAmount: exact }),
    )
    fc.assert(
      fc.property(quotes, bounds, (quoted, price) => {
        // Each bound as a fraction of whole numbers, by another method than the guard's: the limit times ten thousand.
        const { side, worstRate, maxSlippageBps, reference, planned } = price
        const share = 10_000n + BigInt(maxSlippageBps ?? 0) * (side === 'BUY' ? 1n : -1n)
        const slipping = maxSlippageBps === undefined ? [] : [reference, ...(planned === undefined ? [] : [planned])]
        const limits = [
          ...(worstRate === undefined ? [] : [worstRate * 10_000n]),
          ...slipping.map((each) => each * share),
        ]
        const keeps = (gives: bigint, brings: bigint) =>
          limits.every((limit) =>
            side === 'BUY' ? gives * 10n ** 22n <= limit * brings : gives * 10n ** 22n >= limit * brings,
          )
        const isGood = keeps(quoted.rate, 10n ** 18n) && keeps(quoted.quoteAmount, quoted.baseAmount)
        expect(findPriceBreach(quoted, price) === undefined).toBe(isGood)
      }),
      { numRuns: 2_000 },
    )
  })
})
