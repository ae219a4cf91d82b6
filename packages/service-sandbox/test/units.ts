// Counts amounts in units of 10^-18, as bigint. Tests compute with these counts, because the sandbox computes in
// another way.
import { type Amount, amountOfUnits, unitsOf } from '../service/amount.ts'

export const ONE_UNITS = 10n ** 18n

export function inUnits(value: Amount): bigint {
  return BigInt(unitsOf(value))
}

export function ofUnits(units: bigint): Amount {
  return amountOfUnits(units.toString())
}
