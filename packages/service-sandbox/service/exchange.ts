// Defines the contract of an action. An action is one endpoint: what it accepts, who may call it, and what it answers.
// It sees no sockets and no headers, and knows no fault by its name.
import * as z from 'zod/mini'
import type { Amount } from './amount.ts'
import type { Access, Caller } from './authentication.ts'
import type { Fields, Shape } from './fields.ts'
import type { AnswerForm } from './openapi/schemas.ts'
import type { MovementRequest } from './records.ts'
import type { World } from './world.ts'

/** Fields of a quote that differ from the request. */
export interface Misquote {
  readonly baseAsset?: string
  readonly quoteAsset?: string
  readonly amountAsset?: string
  readonly side?: 'BUY' | 'SELL'
  readonly amount?: Amount
}

/** Deviations that rules may ask of an action that supports them. Without rules the service does none of these. */
export interface Circumstances {
  /** Answers a quote that has expired already. */
  readonly expireQuote?: boolean
  /** Quotes these fields instead of the requested fields. The order uses the same fields. */
  readonly misquote?: Misquote
  /** Answers a quote with quotedAt and expiresAt null. It still expires. */
  readonly hideExpiry?: boolean
  /** Gives what is created an id with a slash, a space and a percent sign. */
  readonly oddId?: boolean
  /** Accepts an order that settles later, in this way. */
  readonly settleLater?: {
    readonly afterMs: number
    readonly outcome: 'fill' | 'fail' | 'partial'
    readonly reserve: boolean
  }
  /** Accepts a withdrawal that fails after this time. */
  readonly failLater?: { readonly afterMs: number; readonly refund: boolean }
  /** Keeps what is created out of reads for this time. */
  readonly lateVisibilityMs?: number
}

/** The parameter names in braces of a path. */
type ParametersOf<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParametersOf<Rest>
  : never

export interface Call<P extends string, Q extends Shape, B extends Shape> {
  readonly world: World
  readonly nowMs: number
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

/** Media types of JSON answers other than problem documents. */
export type JsonType = 'application/json' | 'application/jwk-set+json; charset=utf-8'

/** An answer that comes later, because the service works on the request. */
export interface HeldAnswer {
  readonly status: number
  /** In service time, epoch milliseconds. */
  readonly readyAtMs: number
  /** Computes the body when `readyAtMs` is reached. */
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
  /** The form of each answer that is not a problem, by status. */
  readonly answers: Readonly<Record<number, AnswerForm>>
  readonly answer: (call: Call<P, Q, B>) => Answer | HeldAnswer
}

export interface Action extends Omit<Definition<string, Shape, Shape>, 'query' | 'body'> {
  readonly query: Fields
  readonly body: Fields | undefined
}

/** Types the path, query and body of one action, and erases these types for the router. */
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

/**
 * Returns the signed request behind a call, as records keep it, with both times when the service works on it in
 * between. Throws where the call is unsigned.
 */
export function movementRequest(caller: Caller | undefined, acceptedAtMs: number, doneAtMs: number): MovementRequest {
  if (caller?.signed === undefined) throw new Error('a movement was asked for without a signature')
  const by = { kid: caller.kid, nonce: caller.signed.nonce }
  return doneAtMs > acceptedAtMs ? { ...by, acceptedAtMs, doneAtMs } : by
}
