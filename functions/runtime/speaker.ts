// Identifies who signed a request: sends the request that the person signed to STS, and takes the identity from the
// answer. The address of STS follows from the function's own region. Only a desk sets another address, which is on its
// own machine.
// Source: AWS STS API Reference, "GetCallerIdentity".
import * as z from 'zod/mini'
import { systemClock } from '../../core/clock.ts'
import type { SignedRequest } from '../../core/contract/people.ts'
import { Defect, Refused, Transient } from '../../core/errors.ts'
import {
  addressOfSts,
  type CalledFunction,
  IDENTITY_REQUEST,
  identityHeaders,
  isDeskAddress,
} from '../../core/people/signed-request.ts'
import { createTransport } from '../../core/service/http.ts'

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
    const json = parseJson(text)
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
