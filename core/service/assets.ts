// GET /v2/assets and /v2/assets/{assetSymbol} (sections "AssetResource", "NetworkResource").
// Reference data: amounts are settled units of the asset; no assetFormat here.
import * as z from 'zod/mini'
import { sameCode } from '../contract/fields.ts'
import { Defect } from '../errors.ts'
import { amount, label, multiplier, page, positiveAmount, text, textOrNull } from './fields.ts'
import { collectPages } from './pages.ts'
import type { Reader } from './reader.ts'
import { pathOf, withQuery } from './request-path.ts'

const network = z.object({
  networkName: label,
  /** Stable; joins assets, contacts and withdrawals. */
  networkId: textOrNull,
  evmChainId: z.nullable(z.int()),
  networkNativeAsset: textOrNull,
  assetType: textOrNull,
  /** The fee that counts, in the asset itself. */
  withdrawalFee: amount,
  /** Of the quantity sent: under `deduct` the fee comes on top. */
  minimumWithdrawal: amount,
})
export type Network = z.output<typeof network>

const asset = z.object({
  /** Settled code. */
  assetSymbol: text,
  /** Rebased ticker; equal to assetSymbol does not prove that the asset does not rebase. */
  rebasedSymbol: text,
  assetName: label,
  /** FIAT, STABLECOIN, STOCK or CRYPTO; only STOCK rebases. */
  assetClass: text,
  /** Smallest step: what is finer is truncated by the service. */
  amountIncrement: positiveAmount,
  /** For presentation only. */
  displayIncrement: amount,
  minimumDeposit: amount,
  minimumWithdrawal: amount,
  minimumInternalWithdrawal: amount,
  /** Of the cheapest network: never the one to reckon with. */
  withdrawalFee: amount,
  /** Caps the amount of an indicative price. */
  maxIndicativeQuoteAmount: amount,
  /** Today's factor; a past movement carries its own. */
  rebaseMultiplier: multiplier,
  networks: z.array(network),
})
export type Asset = z.output<typeof asset>
const assetPage = page(asset)

const MAX_ASSETS = 10_000

/** All assets. */
export function listAssets(reader: Reader): Promise<readonly Asset[]> {
  const endpoint = 'GET /v2/assets'
  return collectPages(
    endpoint,
    MAX_ASSETS,
    (each: Asset) => each.assetSymbol,
    (number, limit) =>
      reader.read({
        endpoint,
        target: withQuery('/v2/assets', [
          ['page', number],
          ['limit', limit],
        ]),
        shape: assetPage,
      }),
  )
}

/** One asset by either spelling, in any case. */
export async function readAsset(reader: Reader, assetSymbol: string): Promise<Asset> {
  const endpoint = 'GET /v2/assets/{assetSymbol}'
  const found = await reader.read({ endpoint, target: pathOf('/v2/assets', assetSymbol), shape: asset })
  // By its codes a movement is told from others: they must not be another asset's.
  if (![found.assetSymbol, found.rebasedSymbol].some((code) => sameCode(code, assetSymbol)))
    throw new Defect(`${endpoint}: the asset that came is not the one that was asked for`)
  return found
}
