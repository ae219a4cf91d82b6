// What a person is told before a yes: that it counts for a day, or that another person must say yes too. With --aws the
// person is not known here, and the function that is asked tells it afterwards.
import type { AloneTerms } from '../../core/runs/approval/alone.ts'

export async function aloneNote(
  { value, asset, twoAbove }: AloneTerms,
  findWhy: (() => Promise<string | undefined>) | undefined,
): Promise<string> {
  const why = await findWhy?.()
  if (why !== undefined) return `another person must approve it too: ${why}`
  return `it counts for 24 hours: ${value} of the ${twoAbove} ${asset} that one person alone may approve`
}
