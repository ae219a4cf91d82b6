// What the guards look at of a conversion: what its order would give up by the quote in hand.
import type { QuotedTerms } from '../../contract/convert.ts'
import type { GuardedMovement } from '../../guards/movement-guard.ts'
import type { Floor } from '../../journal/floors.ts'
import { parseDecimal } from '../../money/decimal.ts'
import type { ConvertIntent } from './convert-intent.ts'

/** A sale gives up its base asset, a purchase its quote asset. */
export function guardedConversion(
  intent: ConvertIntent,
  terms: Pick<QuotedTerms, 'baseAmount' | 'quoteAmount'>,
): GuardedMovement {
  const { intentId, kind, params, frozen } = intent
  const amount = parseDecimal(params.side === 'SELL' ? terms.baseAmount : terms.quoteAmount, 'quoted amount')
  const { guards } = frozen
  const { assetSymbol, rebasedSymbol } = guards ?? {}
  return { intentId, kind, assetSymbol, rebasedSymbol, amount, guards, floor: floorOf(intent) }
}

/** A leg of a run names its assets by settled codes; of all others with a floor the code was settled at the start. */
function floorOf({ params, frozen }: ConvertIntent): Floor | undefined {
  if (params.keep === undefined) return undefined
  const asked = params.side === 'SELL' ? params.baseAsset : params.quoteAsset
  return { assetSymbol: frozen.guards?.assetSymbol ?? asked, keep: parseDecimal(params.keep, 'keep') }
}
