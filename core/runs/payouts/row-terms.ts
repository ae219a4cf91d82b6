// Makes the text that two rows of payout files share if they pay the same: payee, asset, amount and reference. Pure.
import type { PayoutRow } from '../../contract/payouts.ts'
import { formatDecimal, parseDecimal } from '../../money/decimal.ts'

export function termsOfRow({ contactId, asset, amount, reference = '' }: PayoutRow): string {
  return JSON.stringify([contactId, asset.toLowerCase(), formatDecimal(parseDecimal(amount, 'amount')), reference])
}
