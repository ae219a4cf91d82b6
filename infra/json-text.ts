// Owns reading JSON that a person wrote: where a mistake is, and keys given twice. Knows no schema.
// Messages never quote the text: what stands at the mistake may be a secret.

/** The text is not JSON, or gives a key twice. The message says where, and starts in lower case. */
export class JsonTextError extends Error {
  override readonly name = 'JsonTextError'
}

/** Parses JSON in which every object's keys are distinct (RFC 8259, section 4). Throws JsonTextError. */
export function parseJsonText(text: string): unknown {
  const plain = text.startsWith('\uFEFF') ? text.slice(1) : text
  let value: unknown
  try {
    value = JSON.parse(plain)
  } catch (error) {
    throw new JsonTextError(`not JSON: mistake ${placeOfMistake(plain, error)}`)
  }
  const twice = findRepeatedKey(plain)
  if (twice !== undefined) {
    throw new JsonTextError(`the key ${JSON.stringify(twice.key)} is given twice (${place(plain, twice.index)})`)
  }
  return value
}

function placeOfMistake(text: string, error: unknown): string {
  // V8 names the position except where the text simply ends too early.
  const position = /at position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
  return position === undefined ? 'at the end, or an unclosed bracket or quote' : `at ${place(text, Number(position))}`
}

function place(text: string, index: number): string {
  const before = text.slice(0, index).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

/** First repeated key of an object. The text must already have parsed, so only tokens need telling apart. */
function findRepeatedKey(text: string): { key: string; index: number } | undefined {
  const open: (Set<string> | undefined)[] = []
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g
  for (const token of text.matchAll(tokens)) {
    const [whole, colon] = token
    if (whole === '{') open.push(new Set())
    else if (whole === '[') open.push(undefined)
    else if (whole === '}' || whole === ']') open.pop()
    else if (colon !== undefined) {
      const key = JSON.parse(whole.slice(0, -colon.length)) as string
      const keys = open.at(-1)
      if (keys?.has(key)) return { key, index: token.index }
      keys?.add(key)
    }
  }
  return undefined
}
