// Medians and quartiles: a benchmark shows the spread of its figures, so that nobody reads noise as a change.

export interface Spread {
  readonly median: number
  /** The quartiles: half of the figures lie between them. */
  readonly low: number
  readonly high: number
}

/** @throws RangeError for an empty list */
export function spreadOf(values: readonly number[]): Spread {
  return { low: quantile(values, 0.25), median: quantile(values, 0.5), high: quantile(values, 0.75) }
}

/**
 * The smallest figure that at least this share of all figures does not exceed, without interpolation. `share`: from 0
 * to 1.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (found === undefined) throw new RangeError('no figures: there is no median of nothing')
  return found
}
