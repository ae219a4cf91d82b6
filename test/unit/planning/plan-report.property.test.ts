// The weights that a plan shows are never above the true ones.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Decimal, ONE_UNIT, ZERO } from '../../../core/money/decimal.ts'
import { reportPositions } from '../../../core/planning/plan-report.ts'

const MILLION = 1_000_000n

/** Cut off after six digits, by long division. */
function shareOf(part: bigint, whole: bigint): string {
  if (whole === 0n) return '0'
  const millionths = (part * MILLION) / whole
  const fraction = (millionths % MILLION).toString().padStart(6, '0').replace(/0+$/, '')
  return fraction === '' ? `${millionths / MILLION}` : `${millionths / MILLION}.${fraction}`
}

function weightsOf(values: readonly bigint[]): readonly string[] {
  const assets = values.map((value, at) => ({
    asset: `A${at}`,
    position: undefined,
    price: ONE_UNIT,
    holding: value as Decimal,
    value: value as Decimal,
    before: { target: value as Decimal, drift: ZERO, band: ZERO, isOutside: false },
  }))
  const { positions } = reportPositions(assets, new Map())
  for (const { weight, targetWeight, afterWeight } of positions) {
    expect(targetWeight).toBe(weight)
    expect(afterWeight).toBe(weight)
  }
  return positions.map(({ weight }) => weight)
}

const value = fc.oneof(fc.bigInt(0n, 10n ** 40n), fc.bigInt(0n, 10n ** 18n), fc.bigInt(0n, 100n))

describe('the weights that a plan shows', () => {
  test('are shares of the total, cut off after six digits and never rounded', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 8 }), (values) => {
        const total = values.reduce((sum, one) => sum + one, 0n)
        expect(weightsOf(values)).toEqual(values.map((one) => shareOf(one, total)))
      }),
      { numRuns: 2_000 },
    )
  })

  test('are exact if a share is a whole number of millionths, or smaller by at most the last place', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, MILLION - 1n), fc.bigInt(1n, 10n ** 34n), fc.bigInt(-1n, 1n), (share, scale, more) => {
        const part = share * scale + more
        const rest = (MILLION - share) * scale - more
        expect(weightsOf([part, rest])[0]).toBe(shareOf(part, MILLION * scale))
      }),
      { numRuns: 2_000 },
    )
  })

  test('are given in full for a target far beyond the total', () => {
    const asset = { asset: 'A', position: undefined, price: ONE_UNIT, holding: ONE_UNIT, value: ONE_UNIT }
    const target = (ONE_UNIT * 10n ** 30n + ONE_UNIT / 3n) as Decimal
    const before = { target, drift: ZERO, band: ZERO, isOutside: false }
    const { positions } = reportPositions([{ ...asset, before }], new Map())
    expect(positions[0]?.targetWeight).toBe(shareOf(target, ONE_UNIT))
  })
})
