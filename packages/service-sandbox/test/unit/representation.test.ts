// Settled and rebased amounts of an equity follow from each other by the multiplier, and never gain by rounding.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { amount, ONE } from '../../service/amount.ts'
import { assetOf } from '../../service/assets.ts'
import { showAmount, showRate, showSymbol, toSettled } from '../../service/representation.ts'
import { inUnits, ONE_UNITS, ofUnits } from '../units.ts'

const equity = assetOf('SPYSPV')
const increment = inUnits(equity.increment)
// Both in units of 10^-18.
const settled = fc.bigInt({ min: 0n, max: 10n ** 15n }).map((steps) => steps * increment)
const multiplier = fc.bigInt({ min: 1n, max: 10n ** 21n })

describe('rebase arithmetic', () => {
  test('shares are settled quantity times multiplier, truncated to the increment and never rounded up', () => {
    fc.assert(
      fc.property(settled, multiplier, (quantity, factor) => {
        const shown = inUnits(amount(showAmount(ofUnits(quantity), equity, ofUnits(factor), 'rebased')))
        expect(shown % increment).toBe(0n)
        const exact = quantity * factor
        expect(shown * ONE_UNITS <= exact && exact < (shown + increment) * ONE_UNITS).toBe(true)
      }),
    )
  })

  test('the price of a share is the rate divided by the multiplier', () => {
    expect(showRate(amount('571.2'), amount('1.5'), 'rebased')).toBe('380.8')
    expect(showRate(amount('571.2'), amount('1.5'), 'base')).toBe('571.2')
  })

  test('settled figures are shown unchanged, whatever the multiplier', () => {
    fc.assert(
      fc.property(settled, multiplier, (quantity, factor) => {
        expect(inUnits(amount(showAmount(ofUnits(quantity), equity, ofUnits(factor), 'base')))).toBe(quantity)
      }),
    )
  })

  test('a rebased amount becomes no more settled units than it pays for', () => {
    fc.assert(
      fc.property(settled, multiplier, (shares, factor) => {
        const quantity = inUnits(toSettled(ofUnits(shares), equity, ofUnits(factor), 'rebased'))
        expect(quantity * factor <= shares * ONE_UNITS).toBe(true)
        expect(shares * ONE_UNITS < (quantity + increment) * factor).toBe(true)
      }),
    )
  })

  test('with a multiplier of 1 both representations differ only in the code', () => {
    fc.assert(
      fc.property(settled, (quantity) => {
        const held = ofUnits(quantity)
        expect(showAmount(held, equity, ONE, 'rebased')).toBe(showAmount(held, equity, ONE, 'base'))
      }),
    )
    expect([showSymbol(equity, 'rebased'), showSymbol(equity, 'base')]).toEqual(['SPYX', 'SPYSPV'])
  })
})
