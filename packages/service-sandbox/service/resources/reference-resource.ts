// AssetResource and MarketResource (description, "Resources and their fields"). Reference data is the same for every
// key and always settled.
import { type Amount, formatAmount } from '../amount.ts'
import type { Asset } from '../assets.ts'
import type { Market } from '../markets.ts'

/** Caches, because reference data is read often and changes rarely. An asset is kept for one multiplier. */
const shownAssets = new WeakMap<Asset, { readonly multiplier: Amount; readonly shown: Record<string, unknown> }>()
const shownMarkets = new WeakMap<Market, Record<string, unknown>>()

export function showAsset(asset: Asset, multiplier: Amount): Record<string, unknown> {
  const kept = shownAssets.get(asset)
  if (kept?.multiplier.eq(multiplier)) return kept.shown
  const shown = makeAsset(asset, multiplier)
  shownAssets.set(asset, { multiplier, shown })
  return shown
}

export function showMarket(market: Market): Record<string, unknown> {
  const kept = shownMarkets.get(market)
  if (kept !== undefined) return kept
  const shown = makeMarket(market)
  shownMarkets.set(market, shown)
  return shown
}

function makeAsset(asset: Asset, multiplier: Amount): Record<string, unknown> {
  return {
    assetSymbol: asset.symbol,
    rebasedSymbol: asset.rebasedSymbol,
    assetName: asset.name,
    assetClass: asset.assetClass,
    amountIncrement: formatAmount(asset.increment),
    displayIncrement: formatAmount(asset.displayIncrement),
    minimumDeposit: formatAmount(asset.minimumDeposit),
    minimumWithdrawal: formatAmount(asset.minimumWithdrawal),
    minimumInternalWithdrawal: formatAmount(asset.minimumInternalWithdrawal),
    withdrawalFee: formatAmount(asset.withdrawalFee),
    maxIndicativeQuoteAmount: formatAmount(asset.maxIndicativeAmount),
    rebaseMultiplier: formatAmount(multiplier),
    networks: asset.networks.map((network) => ({
      networkName: network.networkName,
      networkId: network.networkId,
      evmChainId: network.evmChainId,
      networkNativeAsset: network.networkNativeAsset,
      assetType: network.assetType,
      withdrawalFee: formatAmount(network.withdrawalFee),
      minimumWithdrawal: formatAmount(network.minimumWithdrawal),
    })),
  }
}

function makeMarket(market: Market): Record<string, unknown> {
  return {
    id: market.id,
    baseAsset: market.base.symbol,
    rebasedBaseAsset: market.base.rebasedSymbol,
    quoteAsset: market.quote.symbol,
    minBaseAmount: formatAmount(market.minBaseAmount),
    minQuoteAmount: formatAmount(market.minQuoteAmount),
  }
}
