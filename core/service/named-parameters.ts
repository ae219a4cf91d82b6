// Names the values that a refused call was made with, so that its message shows more than the template of a path. Never
// takes a header or a key. Pure.
import { Refused } from '../errors.ts'
import { errorOf, problemOf } from './problem.ts'

interface Call {
  /** Method and path template. */
  readonly endpoint: string
  /** Path and query, encoded. */
  readonly target: string
  readonly content?: Readonly<Record<string, string>> | undefined
}

/** Parameters that the client adds itself: how it walks a list, and in which units. No caller chose them. */
const OURS: ReadonlySet<string> = new Set(['page', 'limit', 'cursor', 'assetFormat'])

/** Returns the same error; a refusal by the service also names the parameters of the call. */
export function namingParameters(call: Call, error: unknown): unknown {
  const problem = problemOf(error)
  if (!(error instanceof Refused) || problem === undefined) return error
  return errorOf('Refused', { ...problem, asked: parametersOf(call) })
}

/**
 * Parameters by name from path, query and body: `GET /v2/assets/{assetSymbol}` with `/v2/assets/BTC` gives
 * `{assetSymbol: 'BTC'}`.
 */
export function parametersOf({ endpoint, target, content = {} }: Call): Readonly<Record<string, string>> {
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
