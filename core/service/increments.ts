// Owns what is remembered of assets: the smallest step of each, which every conversion asks for and which hardly ever changes.
// One that has changed since moves nothing wrong: the service quotes another amount than it was asked for, and that is refused.
import type { Clock } from '../clock.ts'
import { readAsset } from './assets.ts'
import type { Reader } from './reader.ts'

/** Past it an increment is read again. */
export const INCREMENT_AGE_LIMIT_MS = 900_000
/** More assets than any service has: a bound on what strange requests make a process keep. */
const MOST_KEPT = 10_000

interface Kept {
  readonly increment: string
  readonly readAtMs: number
}

/** @returns what gives the increment of an asset, as a decimal of its settled units. What could not be read is not remembered. */
export function createIncrements(reader: Reader, clock: Clock): (assetSymbol: string) => Promise<string> {
  const kept = new Map<string, Kept>()
  return async (assetSymbol) => {
    const known = kept.get(assetSymbol)
    const ageMs = known && clock.nowMs() - known.readAtMs
    if (known && ageMs !== undefined && ageMs >= 0 && ageMs < INCREMENT_AGE_LIMIT_MS) return known.increment
    const { amountIncrement: increment } = await readAsset(reader, assetSymbol)
    if (kept.size === MOST_KEPT) kept.clear()
    kept.set(assetSymbol, { increment, readAtMs: clock.nowMs() })
    return increment
  }
}
