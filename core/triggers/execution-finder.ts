// Finds an execution by its name. Step Functions keeps it for 90 days after its end.
// Source: Step Functions API reference, DescribeExecution.

import { DescribeExecutionCommand, type SFNClient } from '@aws-sdk/client-sfn'
import { awsFault } from '../aws-fault.ts'
import type { StateMachine } from '../contract/states.ts'
import { errorName } from '../error-name.ts'
import { Defect } from '../errors.ts'
import { executionArnOf, type StateMachineArns } from './sfn-starter.ts'
import type { FindExecution } from './starter.ts'

/** The returned function throws Transient, OwnFault, and Defect for a machine that the deployment does not name. */
export function createExecutionFinder(client: Pick<SFNClient, 'send'>, arns: StateMachineArns): FindExecution {
  return async (stateMachine: StateMachine, name) => {
    const stateMachineArn = arns[stateMachine]
    if (stateMachineArn === undefined) throw new Defect(`the deployment names no ARN of ${stateMachine}`)
    const executionArn = executionArnOf(stateMachineArn, name)
    try {
      const { status, stopDate, input } = await client.send(new DescribeExecutionCommand({ executionArn }))
      return { status: status ?? '', stoppedAtMs: stopDate?.getTime(), input }
    } catch (error) {
      if (errorName(error) === 'ExecutionDoesNotExist') return undefined
      throw awsFault('Step Functions did not describe an execution', error)
    }
  }
}
