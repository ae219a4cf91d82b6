// Turns ids and values into a request target. An id is opaque and encoded whole. An id that this process or a proxy
// could read as another path is refused before anything is sent. Must not know endpoints.
import { Refused } from '../errors.ts'

const MAX_SEGMENT_CHARS = 256
/** Characters of a cursor, the longest value that the service issues. */
const MAX_VALUE_CHARS = 2_048
/** Maximum number of percent-encoding layers that a chain of proxies is expected to decode. */
const MAX_DECODINGS = 4
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it refuses
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/
const ENCODED_SEPARATORS = /%(25|2e|2f|5c)/gi
const SEPARATORS = /[/\\]/

/** A query parameter. An undefined value omits it. */
export type QueryParameter = readonly [name: string, value: string | number | undefined]

/**
 * Joins `path` and the percent-encoded ids: `/v2/orders` and an id give `/v2/orders/<id>`. Throws Refused for an id
 * that is empty, longer than 256 characters, or contains control characters, lone surrogates or a dot segment, even
 * encoded.
 */
export function pathOf(path: string, ...ids: readonly string[]): string {
  return [path, ...ids.map(encodeSegment)].join('/')
}

/**
 * Adds `?name=value&…` in the given order. Throws Refused for an empty value, control characters, lone surrogates, or
 * more than 2,048 characters.
 */
export function withQuery(path: string, parameters: readonly QueryParameter[]): string {
  const pairs: string[] = []
  for (const [name, value] of parameters) {
    if (value === undefined) continue
    pairs.push(`${name}=${encodeText(String(value), name, MAX_VALUE_CHARS)}`)
  }
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** An id as a query parameter. Throws Refused for an id that `pathOf` refuses. */
export function idParameter(name: string, id: string | undefined): QueryParameter {
  if (id !== undefined) checkId(id)
  return [name, id]
}

/** Throws Refused for an id that `pathOf` refuses. */
export function checkId(id: string): void {
  encodeSegment(id)
}

/**
 * Throws Refused for a text that is empty, longer than 256 characters, or contains control characters or lone
 * surrogates.
 */
export function checkText(text: string, name: string): void {
  encodeText(text, name, MAX_SEGMENT_CHARS)
}

function encodeSegment(id: string): string {
  const encoded = encodeText(id, 'id', MAX_SEGMENT_CHARS)
  if (holdsDotSegment(id)) throw new Refused('id: expected no "." or ".." between slashes, plain or encoded')
  return encoded
}

function encodeText(text: string, name: string, maxChars: number): string {
  if (text === '') throw new Refused(`${name}: expected it not to be empty`)
  if (text.length > maxChars) throw new Refused(`${name}: expected at most ${maxChars} characters`)
  if (CONTROL.test(text)) throw new Refused(`${name}: expected no control characters`)
  if (!text.isWellFormed()) throw new Refused(`${name}: expected well-formed Unicode`)
  return encodeURIComponent(text)
}

/** True when some proxy could see a segment `.` or `..` after decoding several layers. */
function holdsDotSegment(id: string): boolean {
  let seen = id
  for (let layer = 0; layer <= MAX_DECODINGS; layer++) {
    if (seen.split(SEPARATORS).some((part) => part === '.' || part === '..')) return true
    seen = seen.replace(ENCODED_SEPARATORS, (encoded) => String.fromCharCode(Number.parseInt(encoded.slice(1), 16)))
  }
  return false
}
