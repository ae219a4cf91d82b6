// Figures in sentences: for people, so cut to six places.
import { type Decimal, formatDecimal } from '../money/decimal.ts'

const MILLIONTH = 1_000_000_000_000n

export function told(value: Decimal, asset: string): string {
  return `${formatDecimal((value - (value % MILLIONTH)) as Decimal)} ${asset}`
}
