// Invokes a deployed function, at a desk or on AWS, by the API of Lambda. It does not interpret the answer.

import { InvokeCommand, LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda'
import * as z from 'zod/mini'
import { findJson } from '../../core/contract/find-json.ts'
import { type AwsAddress, clientConfigOf, isDeployment, nameAt } from './aws-address.ts'
import { withClient } from './with-client.ts'

/** Longer than any function may run. */
const LONGEST_MS = 16 * 60 * 1_000

/** The error that a function ended with. Its name is the error's own, such as `Transient`. */
export class FunctionError extends Error {
  override readonly name: string

  constructor(name: string, message: string) {
    super(message)
    this.name = name
  }
}

/** A function that timed out or ended has an answer of Lambda's own making, which may lack either field. */
const failure = z.object({
  errorType: z._default(z.string(), 'Unhandled'),
  errorMessage: z._default(z.string(), 'the function ended without an answer'),
})

/**
 * `functionName` is without an environment. `payload` and the answer are JSON text.
 * @throws FunctionError where the function failed, and the SDK's own error where it was not invoked
 */
export async function invokeFunction(
  address: AwsAddress,
  functionName: string,
  payload: string,
  timeoutMs = LONGEST_MS,
): Promise<string> {
  const requestHandler = { connectionTimeout: 3_000, requestTimeout: timeoutMs, throwOnRequestTimeout: true }
  // One attempt: a caller that needs more invokes it again.
  const limits = { maxAttempts: 1, requestHandler } satisfies LambdaClientConfig
  return withClient(
    new LambdaClient({ ...(isDeployment(address) ? {} : clientConfigOf(address)), ...limits }),
    async (client) => {
      const answer = await client.send(
        new InvokeCommand({ FunctionName: nameAt(address, functionName), Payload: Buffer.from(payload) }),
      )
      const text = Buffer.from(answer.Payload ?? []).toString('utf8')
      if (answer.FunctionError === undefined) return text
      const { errorType, errorMessage } = failure.safeParse(findJson(text)).data ?? failure.parse({})
      throw new FunctionError(errorType, errorMessage)
    },
  )
}
