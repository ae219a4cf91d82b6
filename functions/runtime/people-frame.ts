// Wraps the functions that people call by signed requests. STS names the signer, by whichever way a request comes.
// Lambda names its caller only for calls by the URL, and whoever may invoke the function writes the whole event. A
// named caller must be the signer too, because IAM has checked the caller alone. A refusal is an answer, not a fault
// of the function. Publishes on the bus that people halted or resumed sending.
import type * as z from 'zod/mini'
import { type Clock, systemClock } from '../../core/clock.ts'
import type { ReportSwitch } from '../../core/contract/events.ts'
import { peoplesRequest, type SignedRequest, signedRequest } from '../../core/contract/people.ts'
import { isSamePerson } from '../../core/contract/person.ts'
import type { Verb } from '../../core/contract/states.ts'
import { Defect, KeyFault, OwnFault, Refused, SluiceError, Transient } from '../../core/errors.ts'
import { type AcceptOnce, createAcceptedRequests, type Speaker } from '../../core/journal/accepted-requests.ts'
import type { RecordStore } from '../../core/journal/record-store.ts'
import type { AwsLimits } from '../../core/keys/aws-limits.ts'
import { parseWith } from '../../core/parse.ts'
import { assertBinds, calledFunction } from '../../core/people/signed-request.ts'
import { newId } from './clients.ts'
import { type CallContext, frameHandler, type LambdaHandler, logFault } from './handler.ts'
import { createIdentify, type Identify } from './speaker.ts'
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
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused(`${name}: expected JSON`)
  }
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
