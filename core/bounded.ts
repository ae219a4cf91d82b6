// Runs one asynchronous task for each item, with a bound on how many run at once. Has no clock and no transport.

/** Maximum concurrent reads: reads of the service share a rate limit, and a function has a time limit. */
export const READS_AT_ONCE = 8

/** Results in the order of `items`. Throws the first failure, after all tasks that were started have ended. */
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
