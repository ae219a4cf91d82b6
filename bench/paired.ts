// Times two pieces of work in turn, A B A B …, and compares them pair by pair: drift of the
// machine's speed then hits both alike.

const PAIRS = 9

export interface Paired {
  /** Median of one A, in milliseconds. */
  readonly leftMs: number
  readonly rightMs: number
  /** Median of A/B over the pairs. */
  readonly ratio: number
}

export async function timePaired(left: () => unknown, right: () => unknown, count = PAIRS): Promise<Paired> {
  await left()
  await right()
  const pairs: { left: number; right: number }[] = []
  for (let pair = 0; pair < count; pair += 1) pairs.push({ left: await time(left), right: await time(right) })
  return {
    leftMs: median(pairs.map((pair) => pair.left)),
    rightMs: median(pairs.map((pair) => pair.right)),
    ratio: median(pairs.map((pair) => pair.left / pair.right)),
  }
}

async function time(work: () => unknown): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
