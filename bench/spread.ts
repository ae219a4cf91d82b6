// Medians and quartiles: a benchmark tells how far its figures lie apart, so that noise is not read as news.

export interface Spread {
  readonly median: number
  /** The quartiles: half of the figures lie between them. */
  readonly low: number
  readonly high: number
}

/** @throws RangeError for no figures */
export function spreadOf(values: readonly number[]): Spread {
  return { low: quantile(values, 0.25), median: quantile(values, 0.5), high: quantile(values, 0.75) }
}

/** The figure that this share of all is at most; none is made up between two. `share`: from 0 to 1. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (found === undefined) throw new RangeError('no figures: there is no median of nothing')
  return found
}
