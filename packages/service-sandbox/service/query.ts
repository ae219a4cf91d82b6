// Reads a query string against the parameters that a route accepts. Strict on purpose: the description refuses unknown
// parameters by name, and a repeated parameter is ambiguous.
import type * as z from 'zod/mini'
import type { Fields } from './fields.ts'
import { invalid } from './problem.ts'
import { clipped, readFields } from './read-fields.ts'

/** Throws validation_error, with the parameter's name. */
export function readQuery<F extends Fields>(fields: F, queryString: string): z.output<F> {
  const given = split(queryString)
  // Checked here and not by the schema: an object would list whole numbers before names that came first.
  for (const name of given.keys()) {
    if (!Object.hasOwn(fields.shape, name)) throw invalid(`Unknown query parameter: ${clipped(name)}.`)
  }
  return readFields(fields, Object.fromEntries(given), 'Query parameter')
}

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
