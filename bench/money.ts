// Times parsing, quantising and printing an amount: our code compared with decimal.js with room for every digit.
import { Decimal } from 'decimal.js'
import { formatDecimal, parseDecimal, quantiseDown } from '../core/money/decimal.ts'
import { timePaired } from './paired.ts'
import type { Report } from './report.ts'

const ROUNDS = 20_000
/** A pair ends within a tenth of a second. */
const PAIRS = 45
const AMOUNT = '123456789.123456789012345678'
const INCREMENT = '0.00000001'

export async function benchMoney(report: Report): Promise<void> {
  const Precise = Decimal.clone({ precision: 60, rounding: Decimal.ROUND_DOWN })
  const increment = parseDecimal(INCREMENT, 'increment')
  const { leftMs, rightMs, ratios } = await timePaired(
    () => {
      for (let round = 0; round < ROUNDS; round += 1)
        formatDecimal(quantiseDown(parseDecimal(AMOUNT, 'amount'), increment))
    },
    () => {
      for (let round = 0; round < ROUNDS; round += 1)
        new Precise(AMOUNT).div(INCREMENT).floor().mul(INCREMENT).toFixed()
    },
    PAIRS,
  )
  report.figure({
    name: `${ROUNDS} amounts parsed, quantised and printed`,
    unit: 'ms',
    value: leftMs,
    baseline: { name: 'decimal.js', value: rightMs },
    ratio: ratios,
  })
}
