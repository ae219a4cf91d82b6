// Invokes a function with a state machine's role, which must allow it.
import { AwsError } from '../aws-error.ts'
import type { Access } from '../endpoint/access.ts'
import type { InvokeFunction } from '../states/run.ts'
import type { Lambda } from './lambda.ts'

/** The session name of a state machine's role, in refusals. */
export const STEP_FUNCTIONS = 'StepFunctions'

export function invokeAs(roleArn: string, lambda: Lambda, access: Access): InvokeFunction {
  return async ({ functionId, payload, timeoutMs }) => {
    const resource = lambda.findArn(functionId) ?? functionId
    try {
      access.authorise({ roleArn, functionName: STEP_FUNCTIONS }, { action: 'lambda:InvokeFunction', resource })
    } catch (error) {
      if (!(error instanceof AwsError)) throw error
      const cause = `${error.message} (Service: AWSLambda; Status Code: 403; Error Code: AccessDeniedException)`
      return { kind: 'failed', error: 'Lambda.AWSLambdaException', cause }
    }
    return lambda.invoke(resource, payload, timeoutMs)
  }
}
