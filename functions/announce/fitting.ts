// Keeps an event within what EventBridge takes. Lists that the journal and the service have are left out
// of one that is too large, and it says so; what became of the money always stays.

/** PutEvents takes 256 KiB with everything around the detail; the rest is for that. */
export const MOST_DETAIL_BYTES = 240_000

/** Lists of a result, by their names. `legs` is not optional, and is emptied. */
const LISTS = ['fills', 'candidates', 'legs'] as const

interface Detail {
  readonly result: Readonly<Record<string, unknown>>
}

export function fitting<Fitted extends Detail>(detail: Fitted): Fitted {
  if (bytesOf(detail) <= MOST_DETAIL_BYTES) return detail
  const { result } = detail
  const leftOut = LISTS.filter((list) => Array.isArray(result[list]))
  const { fills: _, candidates: __, ...rest } = result
  const why = [result.why, `too large to tell whole: ${leftOut.join(' and ')} left out, as the journal has them`]
  const fitted = {
    ...rest,
    ...('legs' in rest ? { legs: [] } : {}),
    why: why
      .filter((each) => each !== undefined)
      .join('; ')
      .slice(0, 2_000),
  }
  return { ...detail, result: fitted }
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}
