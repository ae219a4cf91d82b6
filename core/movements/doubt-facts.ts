// Says in words what an intent in doubt asked for, and which movement a person names as its own. A person answers the
// question beside it, so that no answer rests on two ids alone. Pure.
import { withdrawalCandidate } from '../contract/withdraw.ts'
import { attemptOf, type Intent, isConversion, isOpened } from '../journal/intent.ts'
import { candidatesIn } from './withdrawal/report.ts'

/**
 * Such as `It asked for 100 USDC to "exchange", signed at …. The movement: 100 USDC at …, PENDING.` Empty for a lost intent.
 */
export function doubtFacts(intent: Intent, movementId: string | undefined): string {
  if (!isOpened(intent) || intent.attempt === undefined) return ''
  const signed = `signed at ${new Date(attemptOf(intent).iat * 1000).toISOString()}`
  if (isConversion(intent)) {
    const { baseAmount, quoteAmount } = attemptOf(intent).terms
    const { side, baseAsset, quoteAsset } = intent.params
    return ` It asked to ${side === 'BUY' ? 'buy' : 'sell'} ${baseAmount} ${baseAsset} for ${quoteAmount} ${quoteAsset}, ${signed}.`
  }
  const { amount, assetSymbol, contactId, payee } = intent.frozen
  const to = payee.alias ?? payee.reference ?? `contact ${contactId}`
  const found = candidatesIn(intent.evidence).find(({ id }) => id === movementId)
  // A row that does not fit is left out of the sentence.
  const row = withdrawalCandidate.safeParse(found).data
  const movement =
    row === undefined ? '' : ` The movement: ${row.total} ${assetSymbol} at ${row.createdAt}, ${row.status}.`
  return ` It asked for ${amount} ${assetSymbol} to ${to}, ${signed}.${movement}`
}
