// Parses a body into its JSON object. Every body of the API is one flat object; anything else is a validation_error.
// Schemas check the fields later.
import { invalid } from './problem.ts'
import { clipped } from './read-fields.ts'

/** Throws validation_error for anything except one JSON object. */
export function parseObject(bytes: Buffer): Record<string, unknown> {
  const text = decodeUtf8(bytes)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw invalid('The body is not JSON.')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw invalid('The body is not a JSON object.')
  }
  const repeated = findRepeatedName(text)
  if (repeated !== undefined) throw invalid(`Field given twice in the body: ${clipped(repeated)}.`)
  return parsed as Record<string, unknown>
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw invalid('The body is not UTF-8.')
  }
}

/** Finds a repeated name. JSON.parse keeps the last of two equal names, but the sender may have meant either. */
function findRepeatedName(json: string): string | undefined {
  const seen = new Set<string>()
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g
  let depth = 0
  for (let token = tokens.exec(json); token !== null; token = tokens.exec(json)) {
    const first = token[0][0]
    if (first === '{' || first === '[') depth += 1
    else if (first === '}' || first === ']') depth -= 1
    else if (depth === 1 && token[1] !== undefined) {
      const name = JSON.parse(token[0].slice(0, -token[1].length)) as string
      if (seen.has(name)) return name
      seen.add(name)
    }
  }
  return undefined
}
