// Owns a signed request that moves money: serialised once, hashed, signed, sent once as those
// very bytes. What is heard is turned into a SendAnswer; nothing is concluded from silence. It
// must never send twice, retry or follow a redirect.
import type { NewId } from '../clock.ts'
import { Defect } from '../errors.ts'
import type { KeySource } from '../keys/key-source.ts'
import { saidOf } from './classify.ts'
import type { Transport } from './http.ts'
import { refuseLiveKeyInTheClear } from './live-key.ts'
import type { PreparedSend, SendAnswer, SendFacts, ServiceClock } from './ports.ts'
import { problemFrom } from './problem.ts'
import { sha256Hex, signToken } from './token.ts'

export interface SignedSender {
  /** Serialises and signs in service time; sends nothing. Throws as KeySource and ServiceClock do. */
  prepare(request: SignedRequest): Promise<PreparedSend>
}

export interface SignedRequest {
  /** Method and path template, for messages. */
  readonly endpoint: string
  /** Path and query of the POST, encoded. */
  readonly target: string
  readonly content: Readonly<Record<string, string>>
  readonly tokenLifeSeconds: number
  /** Statuses that are a yes. The status is the yes: its body proves nothing more. */
  readonly accepted: ReadonlyMap<number, 'FILLED' | 'PROCESSING'>
}

export interface SignedSenderParts {
  readonly transport: Transport
  readonly keys: KeySource
  readonly clock: ServiceClock
  readonly newId: NewId
}

export function createSignedSender({ transport, keys, clock, newId }: SignedSenderParts): SignedSender {
  async function prepare(request: SignedRequest): Promise<PreparedSend> {
    const key = await keys.current()
    refuseLiveKeyInTheClear(key, transport)
    const body = Buffer.from(JSON.stringify(request.content), 'utf8')
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
    async function send(): Promise<SendAnswer> {
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
        isDecidedBy: (status) => request.accepted.has(status),
      })
      const yes = answer.kind === 'answered' ? request.accepted.get(answer.status) : undefined
      if (yes !== undefined) return { kind: 'accepted', status: yes }
      return { kind: 'unproven', said: saidOf(problemFrom(request.endpoint, answer)) }
    }
    return { facts, send }
  }

  return { prepare }
}
