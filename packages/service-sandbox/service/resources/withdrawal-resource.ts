// WithdrawalResource (description, "Resources and their fields"): always with fee and total, and with the multiplier of
// its creation.
import { formatAmount } from '../amount.ts'
import { type Asset, assetOf } from '../assets.ts'
import type { AssetFormat } from '../fields.ts'
import type { Withdrawal } from '../records.ts'
import { showAmount, showSymbol, showTime } from '../representation.ts'
import { totalOf } from '../withdrawal-book.ts'

export function showWithdrawal(withdrawal: Withdrawal, format: AssetFormat): Record<string, unknown> {
  const asset = assetOf(withdrawal.assetSymbol)
  const figures = (units: AssetFormat) => ({
    amount: showAmount(withdrawal.amount, asset, withdrawal.multiplier, units),
    fee: showAmount(withdrawal.fee, asset, withdrawal.multiplier, units),
    total: showAmount(totalOf(withdrawal), asset, withdrawal.multiplier, units),
  })
  return {
    id: withdrawal.id,
    type: 'WITHDRAWAL',
    subType: withdrawal.subType,
    assetSymbol: showSymbol(asset, format),
    ...figures(format),
    status: withdrawal.status,
    createdAt: showTime(withdrawal.createdAtMs),
    transactionHash: withdrawal.transactionHash,
    bankReference: withdrawal.bankReference,
    assetFormat: format,
    multiplier: formatAmount(withdrawal.multiplier),
    base: { asset: asset.symbol, ...figures('base') },
    withdrawalData: withdrawal.subType === 'EXTERNAL_CRYPTO' ? showNetwork(asset, withdrawal.networkId) : {},
  }
}

function showNetwork(asset: Asset, networkId: string | null): Record<string, unknown> {
  const network = asset.networks.find((candidate) => candidate.networkId === networkId)
  return {
    networkId: network?.networkId ?? null,
    networkName: network?.networkName ?? null,
    networkNativeAsset: network?.networkNativeAsset ?? null,
    evmChainId: network?.evmChainId ?? null,
    assetType: network?.assetType ?? null,
  }
}
