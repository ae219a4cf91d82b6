// Timestamps of the States Language: RFC 3339 with an upper-case T and, without offset, an
// upper-case Z. Kept to the nanosecond, so that comparisons do not round.

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/

/** Nanoseconds since the epoch, or undefined where the text is no such timestamp. */
export function findTimestamp(text: unknown): bigint | undefined {
  const match = typeof text === 'string' ? RFC3339.exec(text) : null
  if (match === null) return undefined
  const wholeMs = Date.parse(`${match[1]}${match[3]}`)
  if (Number.isNaN(wholeMs)) return undefined
  return BigInt(wholeMs) * 1_000_000n + BigInt((match[2] ?? '').padEnd(9, '0'))
}
