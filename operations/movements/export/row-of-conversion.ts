// Makes the row of one conversion from its intent, its order at the service, and the prices of its plan. Pure.
import { ConvertEnd } from '../../../core/contract/outcomes.ts'
import type { AssetNames, ConvertIntent } from '../../../core/journal/intent.ts'
import { divide, formatDecimal, minus, multiply, parseDecimal, ZERO } from '../../../core/money/decimal.ts'
import { slippageOf } from '../../../core/movements/conversion/slippage.ts'
import type { RebasedOrder } from '../../../core/service/orders.ts'
import { type MovementRow, RowState, rowWith } from './movement-row.ts'
import type { PlanPrices } from './plan-prices.ts'
import { intentColumns, stateOfIntent, textOf } from './row-of-intent.ts'

/** Order statuses that end it. They are an open set: with any other status the order still fills. */
const ENDS: Readonly<Record<string, string>> = { FILLED: ConvertEnd.Filled, FAILED: ConvertEnd.Failed }

/** `order`: undefined where nothing moved, where that is in doubt, or where the service does not show it. */
export function rowOfConversion(
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
    ...(base?.rebasedSymbol !== undefined && rebasedColumns(order, base.rebasedSymbol, isBuy)),
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
function rebasedColumns({ rebased, multiplier }: RebasedOrder, asset: string, isBuy: boolean): Partial<MovementRow> {
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
