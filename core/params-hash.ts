// Makes the hash that compares stored terms. Records keep the hash, so its form never changes. Pure.
import { hash } from 'node:crypto'

/** SHA-256 of the params with sorted keys, in hex. Equal params have equal hashes, in whatever order their keys were. */
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
