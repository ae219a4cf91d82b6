// What a refused call had asked for, by the names that the service gives it: so that a message names the value, and not
// only the template of a path. Never a header or a key. Pure.
import { Refused } from '../errors.ts'
import { errorOf, problemOf } from './problem.ts'

interface Call {
  /** Method and path template. */
  readonly endpoint: string
  /** Path and query, encoded. */
  readonly target: string
  readonly content?: Readonly<Record<string, string>> | undefined
}

/** How a list is walked, and in which units: nobody asked for these by name. */
const OURS: ReadonlySet<string> = new Set(['page', 'limit', 'cursor', 'assetFormat'])

/** The same error; where it is the service's no to what was asked for, its message says what that was. */
export function namingAsked(call: Call, error: unknown): unknown {
  const problem = problemOf(error)
  if (!(error instanceof Refused) || problem === undefined) return error
  return errorOf('Refused', { ...problem, asked: askedOf(call) })
}

/** `GET /v2/assets/{assetSymbol}` for `/v2/assets/BTC` → `{assetSymbol: 'BTC'}`; with what query and body name. */
export function askedOf({ endpoint, target, content = {} }: Call): Readonly<Record<string, string>> {
  const [path = '', query = ''] = target.split('?', 2)
  const segments = path.split('/')
  const template = (endpoint.split(' ')[1] ?? '').split('/')
  const inPath = template.flatMap((part, at) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    return name === undefined ? [] : [[name, decodeURIComponent(segments[at] ?? '')] as const]
  })
  const named = [...inPath, ...new URLSearchParams(query), ...Object.entries(content)]
  return Object.fromEntries(named.filter(([name]) => !OURS.has(name)))
}
