// What an action is given and what it gives back. An action is one endpoint: what it accepts,
// who may call it, and what it answers. It sees no sockets, headers or faults by name.
import * as z from 'zod/mini'
import type { Amount } from './amount.ts'
import type { Access, Caller } from './authentication.ts'
import type { Fields, Shape } from './fields.ts'
import type { Asked } from './records.ts'
import type { World } from './world.ts'

/** What a quote may be of that was not asked for. */
export interface Misquote {
  readonly baseAsset?: string
  readonly quoteAsset?: string
  readonly amountAsset?: string
  readonly side?: 'BUY' | 'SELL'
  readonly amount?: Amount
}

/** What rules may ask of an action that supports it; a service of its own accord does none of these. */
export interface Circumstances {
  /** A quote is answered already expired. */
  readonly expireQuote?: boolean
  /** A quote is of these in place of what was asked for, and so is the order by it. */
  readonly misquote?: Misquote
  /** A quote is answered with quotedAt and expiresAt null; it expires as ever. */
  readonly hideExpiry?: boolean
  /** The id of what is created holds a slash, a space and a percent sign. */
  readonly oddId?: boolean
  /** An order is accepted and settles later, this way. */
  readonly settleLater?: {
    readonly afterMs: number
    readonly outcome: 'fill' | 'fail' | 'partial'
    readonly reserve: boolean
  }
  /** A withdrawal is accepted, and fails after this long. */
  readonly failLater?: { readonly afterMs: number; readonly refund: boolean }
  /** What is created stays out of reads for this long. */
  readonly lateVisibilityMs?: number
}

/** The names in braces of a path. */
type ParametersOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never

export interface Call<P extends string, Q extends Shape, B extends Shape> {
  readonly world: World
  readonly nowMs: number
  /** Path parameters, decoded. */
  readonly path: Readonly<Record<ParametersOf<P>, string>>
  readonly query: z.output<Fields<Q>>
  readonly body: z.output<Fields<B>>
  readonly caller: Caller | undefined
  readonly circumstances: Circumstances
}

export interface Answer {
  readonly status: number
  readonly body: unknown
  /** `application/json` where absent. */
  readonly contentType?: JsonType
}

/** Media types of JSON that is no problem document. */
export type JsonType = 'application/json' | 'application/jwk-set+json; charset=utf-8'

/** An answer that is given later: what was asked for is being worked on. */
export interface HeldAnswer {
  readonly status: number
  /** Service time. */
  readonly readyAtMs: number
  /** Asked for when that time is there. */
  readonly bodyThen: () => unknown
}

interface Definition<P extends string, Q extends Shape, B extends Shape> {
  readonly method: 'GET' | 'POST' | 'PATCH'
  /** With parameters in braces, such as `/v2/orders/{id}`. */
  readonly path: P
  readonly summary: string
  readonly access: Access
  readonly query: Q
  /** Present where the endpoint takes a JSON body. */
  readonly body?: B
  /** Schema by status of the answers that are not problems. */
  readonly answers: Readonly<Record<number, z.ZodMiniType>>
  readonly answer: (call: Call<P, Q, B>) => Answer | HeldAnswer
}

export interface Action extends Omit<Definition<string, Shape, Shape>, 'query' | 'body'> {
  readonly query: Fields
  readonly body: Fields | undefined
}

/** Keeps the types of path, query and body together within one action, and forgets them for the router. */
export function action<const P extends string, const Q extends Shape, const B extends Shape = Shape>(
  definition: Definition<P, Q, B>,
): Action {
  const { query, body } = definition
  return {
    ...(definition as unknown as Definition<string, Shape, Shape>),
    query: z.strictObject(query),
    body: body && z.strictObject(body),
  }
}

export function ok(body: unknown): Answer {
  return { status: 200, body }
}

/** The signed request behind a call, as the records keep it: accepted at one time, and done then or later. */
export function askedBy(caller: Caller | undefined, acceptedAtMs: number, doneAtMs: number): Asked {
  if (caller?.signed === undefined) throw new Error('a movement was asked for without a signature')
  const by = { kid: caller.kid, nonce: caller.signed.nonce }
  return doneAtMs > acceptedAtMs ? { ...by, acceptedAtMs, doneAtMs } : by
}
