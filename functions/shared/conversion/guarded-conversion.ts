// What the guards look at of a conversion: what its order would give up by the quote in hand.
import type { QuotedTerms } from '../../contract/convert.ts'
import type { GuardedMovement } from '../guarding/movement-guard.ts'
import { parseDecimal } from '../money/decimal.ts'
import type { ConvertIntent } from './convert-intent.ts'

/** A sale gives up its base asset, a purchase its quote asset. */
export function guardedConversion(
  { intentId, kind, createdAt, params, frozen }: ConvertIntent,
  terms: Pick<QuotedTerms, 'baseAmount' | 'quoteAmount'>,
): GuardedMovement {
  const amount = parseDecimal(params.side === 'SELL' ? terms.baseAmount : terms.quoteAmount, 'quoted amount')
  const { guards } = frozen
  const { assetSymbol, rebasedSymbol } = guards ?? {}
  return { intentId, kind, createdAt, assetSymbol, rebasedSymbol, amount, guards }
}
