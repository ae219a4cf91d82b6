// The hash by which stored terms are compared: records keep it, so that it never changes. Pure.
import { hash } from 'node:crypto'

/** SHA-256 over the params with sorted keys, hex: equal for equal params however they were written. */
export function hashParams(params: unknown): string {
  return hash('sha256', JSON.stringify(sortKeys(params)))
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
      .map(([key, entry]) => [key, sortKeys(entry)]),
  )
}
