// Owns what is remembered of assets: how each is called, and its smallest step. Every conversion asks for them, and they
// hardly ever change. Where one has changed since, the service quotes another market or another amount than it was asked
// for, and that is refused.
import type { Clock } from '../clock.ts'
import { readAsset } from './assets.ts'
import type { KnownAsset } from './ports.ts'
import type { Reader } from './reader.ts'

/** An asset that was read longer ago is read again. */
export const KNOWN_ASSET_AGE_LIMIT_MS = 900_000
/** More assets than any service has: a bound on what strange requests make a process keep. */
const MOST_KEPT = 10_000

interface Kept {
  readonly asset: KnownAsset
  readonly readAtMs: number
}

/** @returns what gives an asset by either spelling, in any case. What could not be read is not remembered. */
export function createKnownAssets(reader: Reader, clock: Clock): (assetSymbol: string) => Promise<KnownAsset> {
  const kept = new Map<string, Kept>()
  return async (asked) => {
    const known = kept.get(asked)
    const ageMs = known && clock.nowMs() - known.readAtMs
    if (known && ageMs !== undefined && ageMs >= 0 && ageMs < KNOWN_ASSET_AGE_LIMIT_MS) return known.asset
    const { assetSymbol, rebasedSymbol, amountIncrement } = await readAsset(reader, asked)
    const asset = { assetSymbol, rebasedSymbol, amountIncrement }
    if (kept.size === MOST_KEPT) kept.clear()
    kept.set(asked, { asset, readAtMs: clock.nowMs() })
    return asset
  }
}
