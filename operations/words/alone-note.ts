// Tells a person before they approve that the approval counts for a day, or that another person must approve too. With
// --aws the person is unknown here, and the called function says it afterwards.
import type { AloneTerms } from '../../core/runs/approval/alone.ts'

export async function aloneNote(
  { value, asset, twoAbove }: AloneTerms,
  findWhy: (() => Promise<string | undefined>) | undefined,
): Promise<string> {
  const why = await findWhy?.()
  if (why !== undefined) return `another person must approve it too: ${why}`
  return `it counts for 24 hours: ${value} of the ${twoAbove} ${asset} that one person alone may approve`
}
