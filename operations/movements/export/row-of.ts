// Makes the row of one intent: reads its movement and the prices of its plan, and says what it could not read. Reads only.

import { findOtherMovement } from '../../../core/audit/judge-movement.ts'
import { ConvertEnd, WithdrawEnd } from '../../../core/contract/outcomes.ts'
import type { Timing } from '../../../core/contract/timing.ts'
import { FAILED_WITHDRAWAL_STATUSES } from '../../../core/contract/withdraw.ts'
import { Defect } from '../../../core/errors.ts'
import {
  type AssetNames,
  type ConvertIntent,
  type Intent,
  isConversion,
  type WithdrawIntent,
} from '../../../core/journal/intent.ts'
import { divide, formatDecimal, minus, multiply, parseDecimal, ZERO } from '../../../core/money/decimal.ts'
import { slippageOf } from '../../../core/movements/conversion/slippage.ts'
import { reportWithdrawal } from '../../../core/movements/withdrawal/report.ts'
import { bookingReads } from '../../../core/service/booking-reads.ts'
import type { RebasedOrder } from '../../../core/service/orders.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import type { RebasedWithdrawal } from '../../../core/service/withdrawals.ts'
import { movementIdOf } from '../record-kind.ts'
import { type MovementRow, RowState, rowWith } from './movement-row.ts'
import type { FindPlanPrices, PlanPrices } from './plan-prices.ts'
import { intentColumns, stateOfIntent, textOf } from './row-of-intent.ts'
import type { ShownMovements } from './shown-movements.ts'

export interface RowSources {
  readonly shown: ShownMovements
  readonly findPrices: FindPlanPrices
  readonly service: Pick<ServiceClient, 'clock'> & Parameters<typeof bookingReads>[0]
  readonly timing: Timing
}

export interface FoundRow {
  readonly row: MovementRow
  /** One sentence for each fact that the row cannot show as it should. */
  readonly faults: readonly string[]
}

/** @throws Transient, Refused */
export async function rowOf(intent: Intent, sources: RowSources): Promise<FoundRow> {
  const faults: string[] = []
  const prices = await pricesOf(intent, sources).catch(
    orNote((why) => faults.push(`the prices of its plan cannot be read: ${why}`)),
  )
  try {
    const row = isConversion(intent)
      ? await conversionRow(intent, prices, sources, faults)
      : await withdrawalRow(intent, prices, sources, faults)
    if (row.state === RowState.Missing) faults.push(`the service does not show its movement ${row.movementId}`)
    return { row: { ...row, why: row.why ?? (faults.length === 0 ? null : faults.join('; ')) }, faults }
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    const row = rowWith({ ...intentColumns(intent, undefined), state: RowState.Unreadable, why: error.message })
    return { row, faults: [...faults, error.message] }
  }
}

/** The prices of the plan that a movement was a leg of. @throws Defect, Transient */
async function pricesOf(intent: Intent, { findPrices }: RowSources): Promise<PlanPrices | undefined> {
  const { run } = intent.params
  return movementIdOf(intent) === undefined || typeof run !== 'string' ? undefined : findPrices(run)
}

async function conversionRow(
  intent: ConvertIntent,
  prices: PlanPrices | undefined,
  { shown }: RowSources,
  faults: string[],
): Promise<MovementRow> {
  const id = movementIdOf(intent)
  const order = id === undefined ? undefined : await shown.order(id)
  const other = order && findOtherMovement(order, intent)
  if (other !== undefined) faults.push(`its order at the service is another one: ${other}`)
  return rowOfConversion(intent, order, prices)
}

async function withdrawalRow(
  intent: WithdrawIntent,
  prices: PlanPrices | undefined,
  { shown, ...reads }: RowSources,
  faults: string[],
): Promise<MovementRow> {
  const id = movementIdOf(intent)
  const found = id === undefined ? undefined : await shown.withdrawal(id)
  if (found === undefined) return rowOfWithdrawal(intent, undefined, prices)
  const other = findOtherMovement(found, intent)
  if (other !== undefined) faults.push(`its withdrawal at the service is another one: ${other}`)
  return rowOfWithdrawal(intent, await reportOf(found, intent, reads), prices)
}

/** A failed withdrawal came back only if the ledger shows it, by the rules of the steps. @throws Defect, Transient, Refused */
async function reportOf(
  shown: RebasedWithdrawal,
  intent: WithdrawIntent,
  { service, timing }: Pick<RowSources, 'service' | 'timing'>,
): Promise<ReportedWithdrawal> {
  const { status } = shown
  if (status === 'COMPLETED') return { shown, outcome: status, why: undefined }
  if (!FAILED_WITHDRAWAL_STATUSES.has(status))
    return { shown, outcome: RowState.Processing, why: `the withdrawal is ${status}` }
  const reads = { clock: service.clock, findWithdrawal: async () => shown, ...bookingReads(service) }
  const { outcome, why } = await reportWithdrawal(intent, reads, timing)
  return { shown, outcome, why }
}

/** Notes a Defect, and throws every other error. */
function orNote(note: (why: string) => void): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof Defect)) throw error
    note(error.message)
    return undefined
  }
}

/** A withdrawal at the service, and what became of it by the rules of the steps. */
interface ReportedWithdrawal {
  readonly shown: RebasedWithdrawal
  /** COMPLETED, FAILED_REFUNDED or PROCESSING. */
  readonly outcome: string
  readonly why: string | undefined
}

/** `reported`: undefined where nothing moved, where that is in doubt, or where the service does not show it. */
function rowOfWithdrawal(
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
    ...(rebasedSymbol !== undefined && rebasedOfWithdrawal(shown, rebasedSymbol, isBack)),
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
function rebasedOfWithdrawal(
  { rebased: { total, fee }, multiplier }: RebasedWithdrawal,
  asset: string,
  isBack: boolean,
): Partial<MovementRow> {
  return {
    ...{ rebasedAsset: asset, rebasedOut: total, multiplier, multiplierSource: 'withdrawal' },
    ...(isBack ? { rebasedIn: total, rebasedFee: '0' } : { rebasedFee: fee }),
  }
}

/** Order statuses that end it. They are an open set: with any other status the order still fills. */
const ENDS: Readonly<Record<string, string>> = { FILLED: ConvertEnd.Filled, FAILED: ConvertEnd.Failed }

/** `order`: undefined where nothing moved, where that is in doubt, or where the service does not show it. */
function rowOfConversion(
  intent: ConvertIntent,
  order: RebasedOrder | undefined,
  prices: PlanPrices | undefined,
): MovementRow {
  const { frozen, params } = intent
  const base = frozen.baseAsset ?? namesOf(order?.baseAsset ?? params.baseAsset)
  const quote = frozen.quoteAsset ?? namesOf(order?.quoteAsset ?? params.quoteAsset)
  const isBuy = (order?.side ?? params.side) === 'BUY'
  const [out, into] = isBuy ? [quote, base] : [base, quote]
  const asked = { ...intentColumns(intent, order?.createdAt), ...assetsOf(out, into) }
  if (order === undefined) return rowWith({ ...asked, state: stateOfIntent(intent) })
  const { filledBaseAmount, filledQuoteAmount, rate, status, market, onCredit } = order
  const [amountOut, amountIn] = isBuy ? [filledQuoteAmount, filledBaseAmount] : [filledBaseAmount, filledQuoteAmount]
  return rowWith({
    ...asked,
    ...{ state: ENDS[status] ?? RowState.Processing, status, market, rate, amountOut, amountIn },
    onCredit: String(onCredit),
    slippageBps: slippageText(intent, rate),
    ...(base?.rebasedSymbol !== undefined && rebasedOfConversion(order, base.rebasedSymbol, isBuy)),
    ...(prices && base && quote && midColumns(base, quote, prices)),
    ...(prices && out && into && costColumns({ out, into, amountOut, amountIn }, prices)),
  })
}

function namesOf(code: unknown): AssetNames | undefined {
  return typeof code === 'string' ? { assetSymbol: code } : undefined
}

function assetsOf(out: AssetNames | undefined, into: AssetNames | undefined): Partial<MovementRow> {
  return { assetOut: textOf(out?.assetSymbol), assetIn: textOf(into?.assetSymbol) }
}

function slippageText(intent: ConvertIntent, rate: string): string | null {
  const slippage = slippageOf(intent, rate)
  return slippage === undefined ? null : formatDecimal(slippage)
}

/** The service's own rebased figures. Only the base leg rebases (service description, "Rebase arithmetic"). */
function rebasedOfConversion(
  { rebased, multiplier }: RebasedOrder,
  asset: string,
  isBuy: boolean,
): Partial<MovementRow> {
  const { filledBaseAmount, rate } = rebased
  return {
    ...{ rebasedAsset: asset, rebasedRate: rate, multiplier, multiplierSource: 'order' },
    ...(isBuy ? { rebasedIn: filledBaseAmount } : { rebasedOut: filledBaseAmount }),
  }
}

function midColumns(base: AssetNames, quote: AssetNames, prices: PlanPrices): Partial<MovementRow> {
  const [basePrice, quotePrice] = [prices.priceOf(base), prices.priceOf(quote)]
  if (basePrice === undefined || quotePrice === undefined || quotePrice === ZERO) return {}
  return { midRate: formatDecimal(divide(basePrice, quotePrice, 'down')), pricedAt: prices.at }
}

interface Exchanged {
  readonly out: AssetNames
  readonly into: AssetNames
  readonly amountOut: string
  readonly amountIn: string
}

/** Value that went out less value that came in, each cut off after 18 places. Below zero where the rate beat the middle. */
function costColumns({ out, into, amountOut, amountIn }: Exchanged, prices: PlanPrices): Partial<MovementRow> {
  const [outPrice, inPrice] = [prices.priceOf(out), prices.priceOf(into)]
  if (outPrice === undefined || inPrice === undefined) return {}
  const given = multiply(parseDecimal(amountOut, 'amountOut'), outPrice, 'down')
  const brought = multiply(parseDecimal(amountIn, 'amountIn'), inPrice, 'down')
  return { cost: formatDecimal(minus(given, brought)), valuationAsset: prices.valuationAsset, pricedAt: prices.at }
}
