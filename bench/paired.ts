// Times two pieces of work in turn, A B A B …, and compares them pair by pair: drift of the
// machine's speed then hits both alike.
import { quantile, type Spread, spreadOf } from './spread.ts'

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

/** Both are done once before, and that is not counted. */
export async function timePaired(left: () => unknown, right: () => unknown, count = PAIRS): Promise<Paired> {
  await left()
  await right()
  const pairs: { left: number; right: number }[] = []
  for (let pair = 0; pair < count; pair += 1) pairs.push({ left: await time(left), right: await time(right) })
  return paired(
    pairs.map(({ left }) => left),
    pairs.map(({ right }) => right),
  )
}

/** Of times that were measured in turn: the first of both are a pair, and so on. */
export function paired(leftMs: readonly number[], rightMs: readonly number[]): Paired {
  const ratios = spreadOf(leftMs.map((ms, nth) => ms / (rightMs[nth] ?? Number.NaN)))
  return { leftMs: quantile(leftMs, 0.5), rightMs: quantile(rightMs, 0.5), ratio: ratios.median, ratios }
}

async function time(work: () => unknown): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
