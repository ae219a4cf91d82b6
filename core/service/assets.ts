// Reads assets: GET /v2/assets and /v2/assets/{assetSymbol} (sections "AssetResource", "NetworkResource"). They are
// reference data: amounts are in settled units, and the endpoints take no assetFormat. Caches how assets are spelled
// and their smallest step: every conversion needs them, and they hardly ever change. After a change the service quotes
// another market or amount than requested, and that quote is refused.
import * as z from 'zod/mini'
import type { Clock } from '../clock.ts'
import { sameCode } from '../contract/fields.ts'
import { Defect } from '../errors.ts'
import {
  amount,
  label,
  listedAmount,
  listedIncrement,
  multiplier,
  page,
  positiveAmount,
  text,
  textOrNull,
} from './fields.ts'
import { collectPages, readPagesOf } from './pages.ts'
import type { KnownAsset } from './ports.ts'
import type { Reader } from './reader.ts'
import { pathOf } from './request-path.ts'

const network = z.object({
  networkName: label,
  /** Stable; the same in assets, contacts and withdrawals. */
  networkId: textOrNull,
  evmChainId: z.nullable(z.int()),
  networkNativeAsset: textOrNull,
  assetType: textOrNull,
  /** The fee that is charged, in the asset itself. */
  withdrawalFee: amount,
  /** Minimum of the amount that is sent. With feeMode `deduct` the total must be at least this plus the fee. */
  minimumWithdrawal: amount,
})
export type Network = z.output<typeof network>

const asset = z.object({
  /** Settled code. */
  assetSymbol: text,
  /** Rebased ticker. Equal to assetSymbol, it does not prove that the asset does not rebase. */
  rebasedSymbol: text,
  assetName: label,
  /** FIAT, STABLECOIN, STOCK or CRYPTO; only STOCK rebases. */
  assetClass: text,
  /** Smallest step of an amount. The service truncates finer amounts. */
  amountIncrement: positiveAmount,
  /** For presentation only. */
  displayIncrement: amount,
  minimumDeposit: amount,
  minimumWithdrawal: amount,
  minimumInternalWithdrawal: amount,
  /** Fee of the cheapest network. Never calculate with it: use the network's own fee. */
  withdrawalFee: amount,
  /** Largest amount that an indicative price is given for. */
  maxIndicativeQuoteAmount: amount,
  /** Today's factor. A past movement carries its own. */
  rebaseMultiplier: multiplier,
  networks: z.array(network),
})
export type Asset = z.output<typeof asset>

/** A figure that cannot be read hides itself alone: its text is marked, and no computation accepts it. */
const assetPage = page(
  z.extend(asset, {
    amountIncrement: listedIncrement,
    displayIncrement: listedAmount,
    minimumDeposit: listedAmount,
    minimumWithdrawal: listedAmount,
    minimumInternalWithdrawal: listedAmount,
    withdrawalFee: listedAmount,
    maxIndicativeQuoteAmount: listedAmount,
    networks: z.array(z.extend(network, { withdrawalFee: listedAmount, minimumWithdrawal: listedAmount })),
  }),
)

const MAX_ASSETS = 10_000
const LIST = { endpoint: 'GET /v2/assets', path: '/v2/assets', shape: assetPage }

export function listAssets(reader: Reader): Promise<readonly Asset[]> {
  return collectPages(LIST.endpoint, MAX_ASSETS, (each: Asset) => each.assetSymbol, readPagesOf(reader, LIST))
}

/** Reads one asset by either spelling, in any case. Throws Defect when another asset comes back. */
export async function readAsset(reader: Reader, assetSymbol: string): Promise<Asset> {
  const endpoint = 'GET /v2/assets/{assetSymbol}'
  const found = await reader.read({ endpoint, target: pathOf('/v2/assets', assetSymbol), shape: asset })
  // Movements are recognised by these codes, so another asset's codes must not pass.
  if (![found.assetSymbol, found.rebasedSymbol].some((code) => sameCode(code, assetSymbol)))
    throw new Defect(`${endpoint}: the asset that came is not the one that was asked for`)
  return found
}

/** Milliseconds (15 minutes) after which an asset is read again. */
export const KNOWN_ASSET_AGE_LIMIT_MS = 900_000
/** Maximum number of cached spellings. No service has so many assets; the bound is against strange requests. */
const MOST_KEPT = 10_000

interface Kept {
  readonly asset: KnownAsset
  readonly readAtMs: number
}

/** Returns a function that gives an asset by either spelling, in any case. Failed reads are not cached. */
export function createKnownAssets(reader: Reader, clock: Clock): (assetSymbol: string) => Promise<KnownAsset> {
  const kept = new Map<string, Kept>()
  return async (spelling) => {
    const known = kept.get(spelling)
    const ageMs = known && clock.nowMs() - known.readAtMs
    if (known && ageMs !== undefined && ageMs >= 0 && ageMs < KNOWN_ASSET_AGE_LIMIT_MS) return known.asset
    const { assetSymbol, rebasedSymbol, amountIncrement } = await readAsset(reader, spelling)
    const asset = { assetSymbol, rebasedSymbol, amountIncrement }
    if (kept.size === MOST_KEPT) kept.clear()
    kept.set(spelling, { asset, readAtMs: clock.nowMs() })
    return asset
  }
}
