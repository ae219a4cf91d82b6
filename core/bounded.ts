// Does one thing for each of many items, with a bound on how many are under way at once. It has no clock and no
// transport: the caller says what is done.

/** Reads under way at once: those of the service share a rate limit, and a function has a life to keep to. */
export const READS_AT_ONCE = 8

/** In the order of `items`. The first failure is thrown, once what had begun has come to its end. */
export async function mapBounded<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  const queue = items.entries()
  const failures: unknown[] = []
  const worker = async () => {
    for (const [at, item] of queue) {
      if (failures.length > 0) return
      try {
        results[at] = await work(item)
      } catch (error) {
        failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker))
  if (failures.length > 0) throw failures[0]
  return results
}
