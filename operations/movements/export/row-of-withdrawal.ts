// Makes the row of one withdrawal from its intent, its row at the service, and the prices of its plan. Pure.
import { WithdrawEnd } from '../../../core/contract/outcomes.ts'
import type { WithdrawIntent } from '../../../core/journal/intent.ts'
import { formatDecimal, multiply, parseDecimal } from '../../../core/money/decimal.ts'
import type { RebasedWithdrawal } from '../../../core/service/withdrawals.ts'
import { type MovementRow, rowWith } from './movement-row.ts'
import type { PlanPrices } from './plan-prices.ts'
import { intentColumns, stateOfIntent, textOf } from './row-of-intent.ts'

/** A withdrawal at the service, and what became of it by the rules of the steps. */
export interface ReportedWithdrawal {
  readonly shown: RebasedWithdrawal
  /** COMPLETED, FAILED_REFUNDED or PROCESSING. */
  readonly outcome: string
  readonly why: string | undefined
}

/** `reported`: undefined where nothing moved, where that is in doubt, or where the service does not show it. */
export function rowOfWithdrawal(
  intent: WithdrawIntent,
  reported: ReportedWithdrawal | undefined,
  prices: PlanPrices | undefined,
): MovementRow {
  const { frozen, params } = intent
  const { payee, rebasedSymbol } = frozen
  const assetOut = frozen.assetSymbol ?? reported?.shown.assetSymbol ?? textOf(params.assetSymbol)
  const asked = {
    ...intentColumns(intent, reported?.shown.createdAt),
    assetOut,
    payee: payee?.alias ?? null,
    payeeReference: payee?.reference ?? textOf(params.contactReference),
    contactId: frozen.contactId ?? textOf(params.contactId),
  }
  if (reported === undefined) return rowWith({ ...asked, state: stateOfIntent(intent) })
  const { shown, outcome, why } = reported
  const { total, fee, status, transactionHash, bankReference } = shown
  const isBack = outcome === WithdrawEnd.FailedRefunded
  const price =
    isBack || assetOut === null ? undefined : prices?.priceOf({ assetSymbol: assetOut, ...namedAs(rebasedSymbol) })
  return rowWith({
    ...asked,
    ...{ state: outcome, status, transactionHash, bankReference, amountOut: total },
    // The whole total came back, so no fee was paid.
    ...(isBack ? { assetIn: assetOut, amountIn: total, fee: '0' } : { fee }),
    ...(why !== undefined && { why }),
    ...(rebasedSymbol !== undefined && rebasedColumns(shown, rebasedSymbol, isBack)),
    ...(prices &&
      price !== undefined && {
        cost: formatDecimal(multiply(parseDecimal(fee, 'fee'), price, 'down')),
        valuationAsset: prices.valuationAsset,
        pricedAt: prices.at,
      }),
  })
}

function namedAs(rebasedSymbol: string | undefined) {
  return rebasedSymbol === undefined ? {} : { rebasedSymbol }
}

/** The service's own rebased figures. */
function rebasedColumns(
  { rebased: { total, fee }, multiplier }: RebasedWithdrawal,
  asset: string,
  isBack: boolean,
): Partial<MovementRow> {
  return {
    ...{ rebasedAsset: asset, rebasedOut: total, multiplier, multiplierSource: 'withdrawal' },
    ...(isBack ? { rebasedIn: total, rebasedFee: '0' } : { rebasedFee: fee }),
  }
}
