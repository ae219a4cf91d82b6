// Owns signed requests that move money: serialised once, hashed, signed, and sent once as the same bytes. An answer is
// a success or proves nothing. Silence proves nothing. Must never send twice, retry or follow a redirect.
import type { NewId } from '../clock.ts'
import { Defect } from '../errors.ts'
import type { KeySource } from '../keys/key-source.ts'
import { serviceErrorOf } from './classify.ts'
import type { Answered, Transport } from './http.ts'
import { refuseLiveKeyUnencrypted } from './live-key.ts'
import type { Prepared, SendFacts, ServiceError } from './ports.ts'
import { problemFrom } from './problem.ts'
import { CLOCK_AGE_LIMIT_MS, type MeasuredClock } from './service-clock.ts'
import { sha256Hex, signToken } from './token.ts'

type Unproven = { readonly kind: 'unproven'; readonly said: ServiceError }

export interface SignedSender {
  /** Serialises and signs in service time. Sends nothing. Throws as KeySource and ServiceClock do. */
  prepare<Success>(request: SignedRequest<Success>): Promise<Prepared<Success | Unproven>>
}

export interface SignedRequest<Success> {
  /** Method and path template, for messages. */
  readonly endpoint: string
  /** Path and query of the POST, encoded. */
  readonly target: string
  readonly content: Readonly<Record<string, string>>
  readonly tokenLifeSeconds: number
  /** Whether a status is a success whose body is not needed. */
  readonly isDecidedBy?: (status: number) => boolean
  /** Returns the meaning of a success, by its status, or `undefined` for another answer. Must not throw. */
  readonly successOf: (answer: Answered) => Success | undefined
}

export interface SignedSenderParts {
  readonly transport: Transport
  readonly keys: KeySource
  readonly clock: MeasuredClock
  readonly newId: NewId
}

export function createSignedSender({ transport, keys, clock, newId }: SignedSenderParts): SignedSender {
  async function prepare<Success>(request: SignedRequest<Success>): Promise<Prepared<Success | Unproven>> {
    const key = await keys.current()
    refuseLiveKeyUnencrypted(key, transport)
    const body = Buffer.from(JSON.stringify(request.content), 'utf8')
    await clock.ensure(CLOCK_AGE_LIMIT_MS)
    const iat = Math.floor(clock.nowMs() / 1000)
    const facts: SendFacts = {
      nonce: newId(),
      kid: key.prefix,
      iat,
      exp: iat + request.tokenLifeSeconds,
      bodySha256: sha256Hex(body),
    }
    const token = await signToken(key, {
      sub: facts.kid,
      uri: `POST ${transport.wireTarget(request.target)}`,
      nonce: facts.nonce,
      iat: facts.iat,
      exp: facts.exp,
      bodyHash: facts.bodySha256,
    })

    let isSent = false
    async function send(): Promise<Success | Unproven> {
      if (isSent) throw new Defect(`${request.endpoint}: a prepared request is sent once`)
      isSent = true
      const answer = await transport.exchange({
        method: 'POST',
        target: request.target,
        headers: {
          accept: 'application/json, application/problem+json',
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'x-api-key': facts.kid,
        },
        body,
        ...(request.isDecidedBy === undefined ? {} : { isDecidedBy: request.isDecidedBy }),
      })
      const success = answer.kind === 'answered' ? request.successOf(answer) : undefined
      if (success !== undefined) return success
      const summary = serviceErrorOf(problemFrom(request.endpoint, answer))
      if (summary.code === 'clock_skew') clock.distrust()
      return { kind: 'unproven', said: summary }
    }
    return { facts, send }
  }

  return { prepare }
}
