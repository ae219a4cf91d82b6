// Wraps the functions that people call by signed requests. STS names the signer, by whichever way a request comes.
// Lambda names its caller only for calls by the URL, and whoever may invoke the function writes the whole event. A
// named caller must be the signer too, because IAM has checked the caller alone. A refusal is an answer, not a fault
// of the function. Publishes on the bus that people halted or resumed sending.

import * as z from 'zod/mini'
import { type Clock, systemClock } from '../../core/clock.ts'
import type { ReportSwitch } from '../../core/contract/events.ts'
import { findJson } from '../../core/contract/find-json.ts'
import { peoplesRequest, type SignedRequest, signedRequest } from '../../core/contract/people.ts'
import { isSamePerson } from '../../core/contract/person.ts'
import type { Verb } from '../../core/contract/states.ts'
import { Defect, KeyFault, OwnFault, Refused, SluiceError, Transient } from '../../core/errors.ts'
import { type AcceptOnce, createAcceptedRequests, type Speaker } from '../../core/journal/accepted-requests.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import type { AwsLimits } from '../../core/keys/aws-limits.ts'
import { parseWith } from '../../core/parse.ts'
import {
  addressOfSts,
  assertBinds,
  type CalledFunction,
  calledFunction,
  IDENTITY_REQUEST,
  identityHeaders,
  isDeskAddress,
} from '../../core/people/signed-request.ts'
import { createTransport } from '../../core/service/http.ts'
import { newId } from './clients.ts'
import { type CallContext, frameHandler, type LambdaHandler, logFault } from './handler.ts'
import { wireBus } from './trigger-wiring.ts'

/** Decides on a request. The speaker's name is the ARN of its signer. */
type PersonDecision<Request> = (request: Request, speaker: Speaker) => Promise<{ readonly outcome: string }>

export interface Authentication {
  readonly identify: Identify
  readonly takeWord: AcceptOnce
  readonly clock: Pick<Clock, 'nowMs'>
}

export function wireAuthentication(env: NodeJS.ProcessEnv, store: RecordStore): Authentication {
  return { identify: createIdentify(env), takeWord: createAcceptedRequests(store, newId), clock: systemClock }
}

export function frameSignedRequests<Schema extends z.ZodMiniType>(
  verb: Verb,
  schema: Schema,
  authentication: Authentication,
  decide: PersonDecision<z.output<Schema>>,
): LambdaHandler {
  const framed = frameHandler(verb, peoplesRequest, async ({ body, isBase64Encoded, requestContext }, context) => {
    const text = isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body
    const signed = parseWith(signedRequest, parseJson(text, 'body'), 'body')
    const request = parseWith(schema, parseJson(signed.said, 'body.said'), 'body.said')
    const caller = requestContext?.authorizer?.iam?.userArn
    return decide(request, await speakerOf({ verb, signed, request, caller }, context, authentication))
  })
  return async (event, context) => {
    try {
      return answer(200, await framed(event, context))
    } catch (error) {
      if (error instanceof Refused) return answer(400, { error: error.name, message: error.message })
      if (error instanceof Transient) return answer(503, { error: error.name, message: error.message })
      // The person who asked can inform somebody. The log has the error too.
      if (error instanceof OwnFault || error instanceof KeyFault)
        return answer(500, { error: error.name, message: error.message })
      throw error
    }
  }
}

interface Asked {
  readonly verb: Verb
  readonly signed: SignedRequest
  readonly request: unknown
  readonly caller: string | undefined
}

/**
 * Returns the signer, and marks the request as used. `caller`: the ARN of the URL's caller, as Lambda names
 * it. Throws Refused for a request that is unsigned, old, for another function, of another signer than the caller, or
 * used before.
 * @throws Transient
 */
async function speakerOf(
  { verb, signed, request, caller }: Asked,
  { invokedFunctionArn }: CallContext,
  { clock, identify, takeWord }: Authentication,
): Promise<Speaker> {
  if (invokedFunctionArn === undefined) throw new Defect('Lambda did not say which function was called')
  const callee = calledFunction(invokedFunctionArn)
  const nowMs = clock.nowMs()
  const id = assertBinds(signed, callee, nowMs)
  const by = await identify(signed, callee)
  // Otherwise a person who may approve could bring the approval of a person who may not. Checked before the request is
  // used up.
  if (caller !== undefined && !isSamePerson(caller, by)) {
    throw new Refused('somebody else than its sender signed this request; nothing was recorded')
  }
  const at = new Date(nowMs).toISOString()
  return { by, at, spoken: await takeWord(verb, { id, by, to: callee.arn, at, request }) }
}

function answer(statusCode: number, body: unknown): object {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function parseJson(text: string, name: string): unknown {
  const json = findJson(text)
  if (json === undefined) throw new Refused(`${name}: expected JSON`)
  return json
}

/** Short limits, because a person waits for the answer. */
const BRIEF: AwsLimits = { connectionTimeoutMs: 1_000, requestTimeoutMs: 1_500, attempts: 2 }

export function wireSwitchPublisher(verb: Verb, env: NodeJS.ProcessEnv): ReportSwitch {
  const publish = wireBus(env, BRIEF)
  return (event) =>
    publish(event).catch((error: unknown) => {
      if (!(error instanceof SluiceError)) throw error
      logFault(verb, error, {})
    })
}

/** STS answers within a fraction of a second, with less than a kilobyte. */
const LIMITS = { requestTimeoutMs: 3_000, maxBodyBytes: 20_000 }
/** Variable that a desk sets. A deployment does not set it. */
const DESK_ADDRESS = 'AWS_ENDPOINT_URL_STS'

const identity = z.object({
  GetCallerIdentityResponse: z.object({
    GetCallerIdentityResult: z.object({
      Account: z.string().check(z.regex(/^\d{12}$/)),
      Arn: z.string().check(z.regex(/^arn:aws[a-z-]*:(?:iam|sts)::\d{12}:[\x21-\x7e]{1,1000}$/)),
    }),
  }),
})
const refusal = z.object({ Error: z.object({ Code: z.string().check(z.regex(/^[A-Za-z.]{1,80}$/)) }) })

export type Identify = (signed: SignedRequest, callee: CalledFunction) => Promise<string>

type Variables = Readonly<Record<string, string | undefined>>

/** @throws Defect for an address that is neither AWS's nor a desk's */
export function createIdentify(env: Variables): Identify {
  const deskAddress = env[DESK_ADDRESS]
  if (deskAddress !== undefined && !isDeskAddress(deskAddress))
    throw new Defect(`${DESK_ADDRESS}: expected an address of a desk`)

  /**
   * @throws Refused where STS does not know the signature or names another account; Transient where STS does not answer
   */
  return async (signed, callee) => {
    const { status, text } = await post(deskAddress ?? addressOfSts(callee.region), identityHeaders(signed, callee))
    const json = findJson(text)
    const found = status === 200 ? identity.safeParse(json).data : undefined
    if (found === undefined) {
      const code = refusal.safeParse(json).data?.Error.Code
      // This is a refusal of the signature. Any other answer proves nothing about the signer.
      if (code !== undefined && (status === 403 || status === 400)) {
        throw new Refused(`AWS does not know who signed this request (STS: ${code}); nothing was recorded`)
      }
      throw new Transient(`STS gave no identity (status ${status}); nothing was recorded`)
    }
    const { Account, Arn } = found.GetCallerIdentityResponse.GetCallerIdentityResult
    if (Account !== callee.account || Arn.split(':')[4] !== callee.account) {
      throw new Refused('somebody of another AWS account signed this request; nothing was recorded')
    }
    return Arn
  }
}

/** Trusts the authorities of Node alone: whoever holds the key of a company's own could name any signer. */
async function post(address: string, headers: Readonly<Record<string, string>>) {
  const agentOptions = { ca: [...process.getBuiltinModule('node:tls').rootCertificates] }
  const transport = createTransport({ baseUrl: address, clock: systemClock, agentOptions, limits: LIMITS })
  const body = Buffer.from(IDENTITY_REQUEST)
  const answer = await transport.exchange({
    ...{ method: 'POST', target: '/', body },
    headers: { ...headers, accept: 'application/json' },
  })
  transport.close()
  if (answer.kind === 'unanswered') throw new Transient(`STS did not answer (${answer.text}); nothing was recorded`)
  // A body that is cut off or too long counts as empty.
  return { status: answer.status, text: answer.body.toString('utf8') }
}
