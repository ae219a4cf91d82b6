// Figures for people, in sentences and tables: cut to six places.
import { type Decimal, formatDecimal } from '../money/decimal.ts'

const MILLIONTH = 1_000_000_000_000n

/** `12.3456789` → `12.345678`; towards zero. */
export function figure(value: Decimal): string {
  return formatDecimal((value - (value % MILLIONTH)) as Decimal)
}

export function told(value: Decimal, asset: string): string {
  return `${figure(value)} ${asset}`
}
