// Times two pieces of work in turn, A B A B …, and compares them pair by pair. A drift of the machine's speed then
// affects both alike.

const PAIRS = 9

export interface Paired {
  /** Median of one A, in milliseconds. */
  readonly leftMs: number
  readonly rightMs: number
  /** Median of A/B over the pairs. */
  readonly ratio: number
  /** The same with its quartiles. */
  readonly ratios: Spread
}

/** Both are run once before, which is not counted. */
export async function timePaired(left: () => unknown, right: () => unknown, count = PAIRS): Promise<Paired> {
  const [timed] = await timeInTurn([left], right, count)
  return timed as Paired
}

/**
 * Several works, each with B in turn, round by round: A1 B A2 B … A1 B A2 B …. A slow minute of the machine then
 * affects all of them, and not all pairs of one.
 */
export async function timeInTurn(
  lefts: readonly (() => unknown)[],
  right: () => unknown,
  rounds: number,
): Promise<Paired[]> {
  for (const work of [...lefts, right]) await work()
  const times = lefts.map((left) => ({ left, leftMs: [] as number[], rightMs: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const { left, leftMs, rightMs } of times) {
      leftMs.push(await time(left))
      rightMs.push(await time(right))
    }
  }
  return times.map(({ leftMs, rightMs }) => paired(leftMs, rightMs))
}

/** Compares times that were measured in turn. The first times of both form a pair, and so on. */
export function paired(leftMs: readonly number[], rightMs: readonly number[]): Paired {
  const ratios = spreadOf(leftMs.map((ms, nth) => ms / (rightMs[nth] ?? Number.NaN)))
  return { leftMs: quantile(leftMs, 0.5), rightMs: quantile(rightMs, 0.5), ratio: ratios.median, ratios }
}

async function time(work: () => unknown): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

export interface Spread {
  readonly median: number
  /** The quartiles: half of the figures lie between them. */
  readonly low: number
  readonly high: number
}

/** @throws RangeError for an empty list */
function spreadOf(values: readonly number[]): Spread {
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
