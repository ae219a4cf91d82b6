// Reads JSON that a person wrote. It reports where a mistake is, a repeated key, and a key that a record would lose. It
// knows no schema. Messages never quote the text, because a mistake may be in a secret.

import { PROTOTYPE_KEY } from '../contract/fields.ts'

/** Reports a text that is not JSON, or that repeats a key. The message names the place, and starts in lower case. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError'
}

/** Parses JSON. An object's keys must be distinct (RFC 8259, section 4) and not PROTOTYPE_KEY. @throws JsonTextError */
export function parseJsonText(text: string): unknown {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  let value: unknown
  try {
    value = JSON.parse(plain)
  } catch (error) {
    throw new JsonTextError(`not JSON: mistake ${placeOfMistake(plain, error)}`)
  }
  const fault = findWrongKey(plain)
  if (fault !== undefined) {
    throw new JsonTextError(`the key ${JSON.stringify(fault.key)} ${fault.why} (${place(plain, fault.index)})`)
  }
  return value
}

function placeOfMistake(text: string, error: unknown): string {
  // V8 names the position, except where the text ends too early.
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  return position === undefined ? 'at the end, or an unclosed bracket or quote' : `at ${place(text, Number(position))}`
}

function place(text: string, index: number): string {
  const before = text.slice(0, index).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

/** Returns the first key that an object repeats, or that records lose. The text is valid JSON here, so tokens are enough. */
function findWrongKey(text: string): { key: string; why: string; index: number } | undefined {
  const open: (Set<string> | undefined)[] = []
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g
  for (const token of text.matchAll(tokens)) {
    const [whole, colon] = token
    if (whole === '{') open.push(new Set())
    else if (whole === '[') open.push(undefined)
    else if (whole === '}' || whole === ']') open.pop()
    else if (colon !== undefined) {
      const key: string = JSON.parse(whole.slice(0, -colon.length))
      const { index } = token
      if (key === PROTOTYPE_KEY) return { key, why: 'is no name', index }
      const keys = open.at(-1)
      if (keys?.has(key)) return { key, why: 'is given twice', index }
      keys?.add(key)
    }
  }
  return undefined
}
