// Answers questions about a conversion's intent: what it asks the service for, whether a quote passes its limits, and what
// its guards and approvals compare. Pure.
import type { QuotedTerms } from '../../contract/convert.ts'
import { sameCode } from '../../contract/fields.ts'
import type { GuardedMovement, MovementGuards } from '../../guards/movement-guard.ts'
import { findPriceBreach, type PriceGuard, type QuotedPrice } from '../../guards/price-guard.ts'
import type { Floor } from '../../journal/floors.ts'
import type { AssetNames, ConvertIntent, OpenConversion } from '../../journal/intent.ts'
import { termsHashOf } from '../../journal/terms.ts'
import { formatDecimal, parseDecimal, ZERO } from '../../money/decimal.ts'
import type { QuoteRequest } from '../../service/ports.ts'
import { marketOf } from './as-requested.ts'

/** The side that was asked for. `undefined` for a record whose request today's schema would not accept. */
export function sideOf({ params: { side } }: ConvertIntent): 'BUY' | 'SELL' | undefined {
  return side === 'BUY' || side === 'SELL' ? side : undefined
}

export function quoteRequestOf(intent: OpenConversion): QuoteRequest {
  const { baseAsset, quoteAsset, side, amountAsset } = intent.params
  return { baseAsset, quoteAsset, side, amountAsset, amount: intent.frozen.amount }
}

/** `undefined` when the quote passes the price guard, else one sentence. */
export function findQuoteBreach(intent: OpenConversion, terms: QuotedTerms): string | undefined {
  const read = (field: 'rate' | 'baseAmount' | 'quoteAmount') => parseDecimal(terms[field], field)
  const quoted = { rate: read('rate'), baseAmount: read('baseAmount'), quoteAmount: read('quoteAmount') }
  return findPriceBreach(quoted, priceGuardOf(intent)) ?? findExcess(intent, quoted)
}

/** The market decides the leg whose amount was not asked for: it must stay within the approved `most`. */
function findExcess({ params }: OpenConversion, quoted: QuotedPrice): string | undefined {
  const { most, amountAsset, baseAsset, quoteAsset } = params
  if (most === undefined) return undefined
  const [asset, amount] = sameCode(amountAsset, baseAsset)
    ? [quoteAsset, quoted.quoteAmount]
    : [baseAsset, quoted.baseAmount]
  if (amount <= parseDecimal(most, 'most')) return undefined
  return `the quoted ${formatDecimal(amount)} ${asset} are more than ${most}, the most that was asked for`
}

function priceGuardOf(intent: OpenConversion): PriceGuard {
  const { side, worstRate, plannedRate } = intent.params
  const { referenceRate, maxSlippageBps = intent.params.maxSlippageBps } = intent.frozen
  return {
    side,
    worstRate: worstRate === undefined ? undefined : parseDecimal(worstRate, 'worstRate'),
    maxSlippageBps,
    reference: referenceRate === undefined ? undefined : parseDecimal(referenceRate, 'referenceRate'),
    planned: plannedRate === undefined ? undefined : parseDecimal(plannedRate, 'plannedRate'),
  }
}

/** The asset that a conversion spends: the base asset in a sale, the quote asset in a purchase. */
export function givenUpBy<Asset>(side: 'BUY' | 'SELL', { baseAsset, quoteAsset }: Record<Leg, Asset>): Asset {
  return side === 'SELL' ? baseAsset : quoteAsset
}

type Leg = 'baseAsset' | 'quoteAsset'

/** The fields that approvals are compared with: they come from the frozen terms alone. */
export function approvableConversion(intent: OpenConversion) {
  const { intentId, kind, params, frozen } = intent
  const { assetSymbol, rebasedSymbol }: AssetNames = givenUpBy(params.side, frozen)
  const given = givenUpBy(params.side, params)
  const most = sameCode(params.amountAsset, given) ? frozen.amount : params.most
  return {
    ...{ intentId, kind, assetSymbol, rebasedSymbol, market: marketOf(frozen) },
    ...{ run: params.run, termsHash: termsHashOf(intent), shownValues: frozen.unitValues },
    most: most === undefined ? undefined : parseDecimal(most, 'most'),
  }
}

/**
 * The movement as the guards see it before there is a quote. The amount is zero until then, if the market decides what is spent.
 * The order may spend less than the most that people see, and that alone must not make it too large.
 */
export function waitingConversion(intent: OpenConversion, guards: MovementGuards): GuardedMovement {
  const { params, frozen } = intent
  const isGiven = sameCode(params.amountAsset, givenUpBy(params.side, params))
  const amount = isGiven ? parseDecimal(frozen.amount, 'amount') : ZERO
  return { ...approvableConversion(intent), amount, guards }
}

/** The movement as the guards see it with a quote: the amount that its order would spend, and its market. */
export function guardedConversion(intent: OpenConversion, terms: QuotedTerms, guards: MovementGuards): GuardedMovement {
  const { params } = intent
  const approvable = approvableConversion(intent)
  const { assetSymbol } = approvable
  const amount = parseDecimal(params.side === 'SELL' ? terms.baseAmount : terms.quoteAmount, 'quoted amount')
  const floor: Floor | undefined =
    params.keep === undefined ? undefined : { assetSymbol, keep: parseDecimal(params.keep, 'keep') }
  return { ...approvable, amount, guards, floor }
}
