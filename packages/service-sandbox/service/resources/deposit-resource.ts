// Shows a deposit. The description promises assetFormat, the multiplier of its time and a base block. The other fields
// follow the withdrawal's; they are this sandbox's choice.
import { formatAmount } from '../amount.ts'
import { assetOf } from '../assets.ts'
import type { AssetFormat } from '../fields.ts'
import type { Deposit } from '../records.ts'
import { showAmount, showSymbol, showTime } from '../representation.ts'

export function showDeposit(deposit: Deposit, format: AssetFormat): Record<string, unknown> {
  const asset = assetOf(deposit.assetSymbol)
  return {
    id: deposit.id,
    type: 'DEPOSIT',
    assetSymbol: showSymbol(asset, format),
    amount: showAmount(deposit.amount, asset, deposit.multiplier, format),
    status: 'COMPLETED',
    createdAt: showTime(deposit.createdAtMs),
    assetFormat: format,
    multiplier: formatAmount(deposit.multiplier),
    base: { asset: asset.symbol, amount: formatAmount(deposit.amount) },
  }
}
