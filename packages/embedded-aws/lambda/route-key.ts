// Parses the keys of an HTTP API's routes, such as `PUT /things/{id}`, and finds the route of a request.
// Source: Amazon API Gateway Developer Guide, "Create routes for HTTP APIs".

const KEY = /^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|ANY) \/(.*)$/
const SEGMENT = /^([A-Za-z0-9._~-]+|\{[A-Za-z0-9._-]+\})$/
const GREEDY = /^\{[A-Za-z0-9._-]+\+\}$/

export interface RouteKey {
  /** A method, or ANY. */
  readonly method: string
  /** Each is a text, a parameter in braces, or, as the last, a greedy parameter. */
  readonly segments: readonly string[]
}

/** Undefined for a key of another form, also for `$default`. */
export function parseRouteKey(key: string): RouteKey | undefined {
  const [, method, path] = KEY.exec(key) ?? []
  if (method === undefined || path === undefined) return undefined
  const segments = path === '' ? [] : path.split('/')
  const isRight = segments.every(
    (segment, index) => SEGMENT.test(segment) || (index === segments.length - 1 && GREEDY.test(segment)),
  )
  return isRight ? { method, segments } : undefined
}

/** The route of a request with its parameters. A full match comes before a greedy one, and a method before ANY. */
export function findRoute<Route extends RouteKey>(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly parameters: Readonly<Record<string, string>> } | undefined {
  const asked = path.split('/').slice(1)
  const found = routes.flatMap((route) => {
    if (route.method !== method && route.method !== 'ANY') return []
    const parameters = parametersOf(route.segments, asked)
    return parameters === undefined ? [] : [{ route, parameters }]
  })
  return found.sort((one, other) => rankOf(one.route) - rankOf(other.route))[0]
}

function parametersOf(segments: readonly string[], asked: readonly string[]): Record<string, string> | undefined {
  const greedy = segments.findIndex((segment) => GREEDY.test(segment))
  const [last, rest] = [segments.at(greedy), asked.slice(greedy).join('/')]
  if (greedy !== -1 && (last === undefined || rest === '')) return undefined
  const [fixed, given] = greedy === -1 ? [segments, asked] : [segments.slice(0, greedy), asked.slice(0, greedy)]
  if (fixed.length === 0 ? given.join('') !== '' : fixed.length !== given.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [index, segment] of fixed.entries()) {
    const value = given[index] ?? ''
    if (!segment.startsWith('{')) {
      if (segment !== value) return undefined
    } else if (value === '') return undefined
    else parameters[segment.slice(1, -1)] = decoded(value)
  }
  if (greedy !== -1 && last !== undefined) parameters[last.slice(1, -2)] = decoded(rest)
  return parameters
}

/** Texts come before parameters, and greedy parameters last; then a method before ANY. */
function rankOf({ method, segments }: RouteKey): number {
  const parameters = segments.filter((segment) => segment.startsWith('{')).length
  const isGreedy = segments.some((segment) => GREEDY.test(segment))
  return (isGreedy ? 1_000 : 0) + parameters * 2 + (method === 'ANY' ? 1 : 0)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
