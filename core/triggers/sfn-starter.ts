// Starts executions at AWS Step Functions. StartExecution is idempotent by name, so two deliveries make one run without
// a record of our own.
// Source: Step Functions API reference, StartExecution.

import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { awsFault } from '../aws-fault.ts'
import type { StateMachine } from '../contract/states.ts'
import { bareCause, errorName } from '../error-name.ts'
import { Defect, type OwnFault, type Transient } from '../errors.ts'
import { AWS_LIMITS, type AwsLimits, requestLimits } from '../keys/aws-limits.ts'
import type { Starter } from './starter.ts'

export type StateMachineArns = Readonly<Partial<Record<StateMachine, string>>>

/** A client that stops in time. Its address and credentials come from the environment. */
export function sfnClient(limits: AwsLimits = AWS_LIMITS): SFNClient {
  return new SFNClient(requestLimits(limits))
}

export function sfnStarter(client: Pick<SFNClient, 'send'>, arns: StateMachineArns): Starter {
  return {
    async start({ stateMachine, name, input }) {
      const stateMachineArn = arns[stateMachine]
      if (stateMachineArn === undefined) throw new Defect(`the deployment names no ARN of ${stateMachine}`)
      const text = JSON.stringify(input)
      try {
        await client.send(new StartExecutionCommand({ stateMachineArn, name, input: text }))
        return 'started'
      } catch (error) {
        if (errorName(error) !== 'ExecutionAlreadyExists') throw failed('StartExecution', error)
      }

      // The execution runs with another input, or it has ended. Its own input shows which.
      const executionArn = executionArnOf(stateMachineArn, name)
      const known = await client.send(new DescribeExecutionCommand({ executionArn })).catch((error: unknown) => {
        throw failed('DescribeExecution', error)
      })
      return known.input === text ? 'ended' : 'other'
    },
  }
}

/** An execution's ARN is that of its machine, followed by the execution's name. */
export function executionArnOf(stateMachineArn: string, name: string): string {
  return `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`
}

/** Errors that only another deployment can repair. */
const WRONG_FOR_GOOD: ReadonlySet<string> = new Set([
  'InvalidArn',
  'InvalidExecutionInput',
  'InvalidName',
  'ValidationException',
])

function failed(call: string, error: unknown): Transient | OwnFault | Defect {
  const message = `Step Functions did not take ${call}`
  const name = errorName(error)
  return WRONG_FOR_GOOD.has(name) ? new Defect(`${message} (${name})`, bareCause(error)) : awsFault(message, error)
}
