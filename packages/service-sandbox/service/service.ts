// Turns a received request into its answer: route, authenticate, check, act. Knows no sockets and no faults. Each
// request runs without interruption, so requests cannot interleave.
import type { IncomingHttpHeaders } from 'node:http'
import type * as z from 'zod/mini'
import { authenticate, type Caller, requireScope, type Trail } from './authentication.ts'
import type { Action, Answer, Circumstances, JsonType } from './exchange.ts'
import type { Fields } from './fields.ts'
import { withUndescribedFields } from './manners/bodies.ts'
import { invalid, notFound, Problem, problemDocument } from './problem.ts'
import { clipped, parseObject, readFields } from './read-fields.ts'
import { ACTIONS, Router } from './routes.ts'
import type { World } from './world.ts'

export interface Received {
  readonly method: string
  /** The request target, as on the request line. */
  readonly target: string
  readonly headers: IncomingHttpHeaders
  readonly remoteAddress: string
  readonly body: Buffer
}

export interface Reply {
  readonly status: number
  readonly contentType: JsonType | 'application/problem+json'
  /** Set for a problem document. */
  readonly code?: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly trail: Trail
  /**
   * Set while the service works on the request: the real answer comes at this service time, and `body` above does not
   * count.
   */
  readonly later?: { readonly atMs: number; readonly reply: () => Reply }
}

const NO_HEADERS: Reply['headers'] = {}

export class Service {
  readonly #world: World
  readonly #router = new Router(ACTIONS)
  readonly #onDefect: (error: unknown) => void
  #traces = 0
  #factsChecked = -1

  constructor(world: World, onDefect: (error: unknown) => void) {
    this.#world = world
    this.#onDefect = onDefect
  }

  answer(received: Received, circumstances: Circumstances): Reply {
    const trail: Trail = {}
    const reply = this.#attempt(received, trail, () => {
      const answer = this.#act(received, circumstances, trail)
      if (!('bodyThen' in answer)) return this.#success(answer, trail)
      const { status, readyAtMs: atMs, bodyThen } = answer
      const later = () =>
        this.#attempt(received, trail, () => this.#success({ status, body: this.#laterBody(bodyThen) }, trail))
      return { ...this.#success({ status, body: null }, trail), later: { atMs, reply: later } }
    })
    // The books are checked after every request, including a refused one.
    return this.#attempt(received, trail, () => {
      this.#requireBalancedBooks()
      return reply
    })
  }

  /** Answers with a value from outside the API, or with a problem where it throws one. */
  answerWith(received: Received, value: () => unknown): Reply {
    return this.#attempt(received, {}, () => {
      const body = JSON.stringify(value())
      this.#requireBalancedBooks()
      return { status: 200, contentType: 'application/json', body, headers: NO_HEADERS, trail: {} }
    })
  }

  /** Returns the reply of a problem. Faults that answer in the service's place use it too. */
  refuse(problem: Problem, received: Received, trail: Trail = {}, overrides: Record<string, unknown> = {}): Reply {
    this.#traces += 1
    const traceId = `${this.#world.origin.openedAtMs.toString(36)}-${this.#traces.toString(36)}`
    const [instance = '/'] = received.target.split('?', 1)
    const document = { ...problemDocument(problem, instance, traceId), ...overrides }
    return {
      status: document.status as number,
      contentType: 'application/problem+json',
      code: document.code as string,
      body: JSON.stringify(document),
      headers: trail.rateLimit ?? NO_HEADERS,
      trail,
    }
  }

  #success({ status, body, contentType = 'application/json' }: Answer, trail: Trail): Reply {
    const text = JSON.stringify(withUndescribedFields(this.#world.manners, body))
    return { status, contentType, body: text, headers: trail.rateLimit ?? NO_HEADERS, trail }
  }

  #laterBody(body: () => unknown): unknown {
    this.#world.settleDue(this.#world.nowMs())
    return body()
  }

  #act(received: Received, circumstances: Circumstances, trail: Trail): ReturnType<Action['answer']> {
    const world = this.#world
    const nowMs = world.nowMs()
    world.settleDue(nowMs)
    const question = received.target.indexOf('?')
    const rawPath = question === -1 ? received.target : received.target.slice(0, question)
    const found = this.#router.find(received.method, rawPath)
    if (found === undefined) throw notFound('endpoint')
    const { action, path } = found
    if (world.inMaintenance && action.path !== '/v2/health') {
      throw new Problem('maintenance', 'The service is in maintenance.')
    }
    const caller = this.#admit(action, received, nowMs, trail)
    const query = readQuery(action.query, question === -1 ? '' : received.target.slice(question + 1))
    const body = action.body === undefined ? {} : readJson(action.body, received)
    return action.answer({ world, nowMs, path, query, body, caller, circumstances })
  }

  #admit({ access }: Action, received: Received, nowMs: number, trail: Trail): Caller | undefined {
    if (access.tier === 'none') return undefined
    const world = this.#world
    const uri = `${received.method} ${received.target}`
    const { headers, remoteAddress, body } = received
    const presented = { headers, remoteAddress, uri, body, nowMs, trail }
    const caller = authenticate(access.tier, presented, world)
    const { keyName, signed } = caller
    if (!world.apiAccess) throw new Problem('api_access_disabled', 'API access is disabled for the account.')
    if (signed !== undefined && !world.twoFactor) {
      throw new Problem('two_factor_required', 'Moving money takes two-factor authentication on the account.')
    }
    // The first request that verifies uses up its nonce, even if it is refused later.
    if (signed !== undefined) {
      world.commit({ kind: 'nonce.used', keyName, nonce: signed.nonce, keepUntilMs: signed.deadAtMs })
    }
    requireScope(caller, access.scope, world.keys)
    return caller
  }

  #requireBalancedBooks(): void {
    // No fact has changed the books since the last check.
    if (this.#world.factsApplied === this.#factsChecked) return
    const [violation] = this.#world.ledger.violations()
    if (violation !== undefined) throw new Error(violation)
    this.#factsChecked = this.#world.factsApplied
  }

  #attempt(received: Received, trail: Trail, answer: () => Reply): Reply {
    try {
      return answer()
    } catch (error) {
      if (error instanceof Problem) return this.refuse(error, received, trail)
      this.#onDefect(error)
      const problem = new Problem('internal_error', 'The sandbox has a defect; its log says more.')
      return this.refuse(problem, received, trail)
    }
  }
}

function readJson(fields: Fields, received: Received): Record<string, unknown> {
  const contentType = received.headers['content-type']
  if (contentType !== undefined && !/^application\/json\s*(;|$)/i.test(contentType)) {
    throw invalid('The header Content-Type: expected application/json.')
  }
  return readFields(fields, parseObject(received.body))
}

/** Throws validation_error, with the parameter's name. */
function readQuery<F extends Fields>(fields: F, queryString: string): z.output<F> {
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
