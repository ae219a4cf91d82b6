// Parses a body into its one flat JSON object, checks it against the schema of its fields, and describes the first
// fault. Unknown names come first, then the fields in the order of their schema.
import * as z from 'zod/mini'
import type { Fields } from './fields.ts'
import { invalid, type Problem } from './problem.ts'

/** Throws validation_error, with the field's name. */
export function readFields<F extends Fields>(
  fields: F,
  given: Readonly<Record<string, unknown>>,
  kind: 'Field' | 'Query parameter' = 'Field',
): z.output<F> {
  const read = fields.safeParse(given, { reportInput: true })
  if (read.success) return read.data
  throw refusal(fields, read.error.issues, kind)
}

function refusal(fields: Fields, issues: readonly z.core.$ZodIssue[], kind: string): Problem {
  const [first] = issues
  if (first === undefined) throw new Error('a schema refuses, and does not say why')
  // zod lists the unknown names of an object after its wrong fields. Of the objects around `first`, the outermost comes
  // last.
  const unknown = issues.findLast(
    (issue) => issue.code === 'unrecognized_keys' && issue.path.every((key, depth) => key === first.path[depth]),
  )
  if (unknown?.code === 'unrecognized_keys') {
    return invalid(`Unknown field in the body: ${clipped(unknown.keys[0] ?? '')}.`)
  }
  const { name, field } = fieldAt(fields, first.path)
  const expectation = z.globalRegistry.get(field)?.description
  return invalid(`${kind} ${name}${first.input === undefined ? ' is missing' : ''}: expected ${expectation}.`)
}

/** Returns the innermost named field on a path. */
function fieldAt(fields: Fields, path: readonly PropertyKey[]): { name: string; field: z.core.$ZodType } {
  let name = ''
  let field: z.core.$ZodType = fields
  for (const key of path) {
    const inner = field instanceof z.ZodMiniObject ? field.shape[key as string] : undefined
    if (inner === undefined) break
    name = String(key)
    field = unwrapped(inner)
  }
  return { name, field }
}

/** Removes the wrappers that let a field be absent or null. */
function unwrapped(field: z.core.$ZodType): z.core.$ZodType {
  if (
    field instanceof z.core.$ZodOptional ||
    field instanceof z.core.$ZodPrefault ||
    field instanceof z.core.$ZodNullable
  ) {
    return unwrapped(field._zod.def.innerType)
  }
  return field
}

/** Shortens a name from outside and makes it printable. */
export function clipped(name: string): string {
  const printable = name.replaceAll(/[^\x20-\x7e]/g, '?')
  return printable.length > 64 ? `${printable.slice(0, 64)}…` : printable
}

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
