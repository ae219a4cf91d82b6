// Timestamps of the States Language: RFC 3339 with an upper-case T and an offset or an upper-case Z. Exact to the
// nanosecond, so that comparisons do not round.

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/

/** Returns nanoseconds since the epoch, or undefined when the text is not such a timestamp. */
export function findTimestamp(text: unknown): bigint | undefined {
  const match = typeof text === 'string' ? RFC3339.exec(text) : null
  if (match === null) return undefined
  const wholeMs = Date.parse(`${match[1]}${match[3]}`)
  if (Number.isNaN(wholeMs)) return undefined
  return BigInt(wholeMs) * 1_000_000n + BigInt((match[2] ?? '').padEnd(9, '0'))
}
