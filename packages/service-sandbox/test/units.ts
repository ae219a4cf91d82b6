// Amounts as counts of 10^-18. Tests compute with them in bigint, another way than the sandbox's own.
import { type Amount, amountOfUnits, unitsOf } from '../service/amount.ts'

export const ONE_UNITS = 10n ** 18n

export function inUnits(value: Amount): bigint {
  return BigInt(unitsOf(value))
}

export function ofUnits(units: bigint): Amount {
  return amountOfUnits(units.toString())
}
