// An amount carries its asset, and its units in its type: settled (moved on chain and in the ledger) or rebased (shown
// to people). Code that sends a rebased amount does not compile.
import { type Decimal, formatDecimal, parseDecimal, quantiseDown } from './decimal.ts'

declare const units: unique symbol
export type Units = 'settled' | 'rebased'

export interface Amount<U extends Units> {
  readonly [units]: U
  readonly asset: string
  readonly value: Decimal
}
/** Settled units, the service's `assetFormat=base`. All internal amounts are settled. */
export type SettledAmount = Amount<'settled'>
/** Rebased units, the service's `assetFormat=rebased`. For people only. */
type RebasedAmount = Amount<'rebased'>

function amountOf<U extends Units>(asset: string, value: Decimal): Amount<U> {
  // The units exist only in the type.
  return { asset, value } as Amount<U>
}

/** @throws AmountError naming `field` when `text` is not an amount */
export function settledAmount(asset: string, text: unknown, field: string): SettledAmount {
  return amountOf<'settled'>(asset, parseDecimal(text, field))
}

/** For values that were computed in settled units. */
export function settledUnits(asset: string, value: Decimal): SettledAmount {
  return amountOf<'settled'>(asset, value)
}

/** @throws AmountError naming `field` when `text` is not an amount */
export function rebasedAmount(asset: string, text: unknown, field: string): RebasedAmount {
  return amountOf<'rebased'>(asset, parseDecimal(text, field))
}

export function amountTextOf(amount: Amount<Units>): string {
  return formatDecimal(amount.value)
}

/**
 * Rounds down to a multiple of the asset's `amountIncrement`. The service cuts off finer digits (service description,
 * AssetResource). Rounding first makes sure that the sent and the returned amount are equal.
 */
export function quantiseAmountDown<U extends Units>(amount: Amount<U>, increment: Decimal): Amount<U> {
  return amountOf<U>(amount.asset, quantiseDown(amount.value, increment))
}
