// Asks a function as a person who signs under their own name, in virtual time.
import type { EmbeddedAws } from '@sluice/embedded-aws'
import { signRequest } from '../../../place/aws/sign-request.ts'

/**
 * Maximum requests. A slow machine may not answer in time; the function then reports that nothing was recorded, and a
 * person asks again.
 */
const MOST_ASKINGS = 5

/** The function has refused the request. */
export class RefusedRequest extends Error {}

/** Returns the answer's body. @throws RefusedRequest, Error for another answer */
export async function ask(
  aws: EmbeddedAws,
  functionName: string,
  by: string,
  request: object,
  atMs: number,
): Promise<unknown> {
  const { endpointUrl: endpoint, region } = aws
  // The SDK of this thread sees the host's clock, and must sign by the functions' clock.
  const config = { endpoint, region, credentials: aws.addUser(by), systemClockOffset: atMs - Date.now() }
  const arn = aws.resources().functions.find(({ name }) => name === functionName)?.arn ?? ''
  for (let asked = 1; ; asked += 1) {
    const event = { body: JSON.stringify(await signRequest(arn, JSON.stringify(request), config)) }
    const answer = JSON.parse(await aws.invokeFunction(functionName, JSON.stringify(event))) as {
      readonly statusCode?: number
      readonly body?: string
    }
    if (answer.statusCode === 200) return JSON.parse(answer.body ?? '{}')
    if (answer.statusCode === 400) throw new RefusedRequest(`${functionName} answered ${answer.body}`)
    if (answer.statusCode !== 503 || asked === MOST_ASKINGS)
      throw new Error(`${functionName} answered ${JSON.stringify(answer)}`)
  }
}
