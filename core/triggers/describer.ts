// Reads the input and the end of an execution, where an event about it omits them.
// Source: Step Functions API reference, DescribeExecution.
import { DescribeExecutionCommand, type SFNClient } from '@aws-sdk/client-sfn'
import { awsFault } from '../aws-fault.ts'

export interface ExecutionText {
  readonly input: string | undefined
  readonly output: string | undefined
  readonly error: string | undefined
  readonly cause: string | undefined
}

/** @throws Transient, OwnFault */
export function createDescriber(client: Pick<SFNClient, 'send'>): (executionArn: string) => Promise<ExecutionText> {
  return async (executionArn) => {
    const found = await client.send(new DescribeExecutionCommand({ executionArn })).catch((error: unknown) => {
      throw awsFault('Step Functions did not describe an execution', error)
    })
    const { input, output, error, cause } = found
    return { input, output, error, cause }
  }
}
