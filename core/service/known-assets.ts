// Caches how assets are spelled, and their smallest step. Every conversion needs them, and they hardly ever change.
// After a change the service quotes another market or amount than requested, and that quote is refused.
import type { Clock } from '../clock.ts'
import { readAsset } from './assets.ts'
import type { KnownAsset } from './ports.ts'
import type { Reader } from './reader.ts'

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
