// Reads a query string against the parameters that a route accepts. Strict on purpose: the
// description rejects unknown parameters by name, and a repeated one has no single meaning.
import type { Fields, Values } from './fields.ts'
import { invalid } from './problem.ts'

/** Throws validation_error, naming the parameter. */
export function readQuery<F extends Fields>(fields: F, queryString: string): Values<F> {
  const given = queryString === '' ? NOTHING : split(queryString)
  for (const name of given.keys()) {
    if (!Object.hasOwn(fields, name)) throw invalid(`Unknown query parameter: ${clipped(name)}.`)
  }
  const values: Record<string, unknown> = {}
  for (const name in fields) {
    const field = fields[name] as Fields[string]
    const raw = given.get(name)
    if (raw === undefined) {
      if (field.whenAbsent === undefined)
        throw invalid(`Query parameter ${name} is missing: expected ${field.expectation}.`)
      values[name] = field.whenAbsent.value
      continue
    }
    values[name] = field.read(raw)
    if (values[name] === undefined) throw invalid(`Query parameter ${name}: expected ${field.expectation}.`)
  }
  return values as Values<F>
}

const NOTHING: ReadonlyMap<string, string> = new Map()

function split(queryString: string): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  for (const pair of queryString.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals === -1 ? pair : pair.slice(0, equals))
    if (given.has(name)) throw invalid(`Query parameter given twice: ${clipped(name)}.`)
    given.set(name, equals === -1 ? '' : decode(pair.slice(equals + 1)))
  }
  return given
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalid('The query string holds a percent sign that encodes nothing.')
  }
}

/** Names come from outside: keep them short and printable in an answer. */
export function clipped(name: string): string {
  const printable = name.replaceAll(/[^\x20-\x7e]/g, '?')
  return printable.length > 64 ? `${printable.slice(0, 64)}…` : printable
}
