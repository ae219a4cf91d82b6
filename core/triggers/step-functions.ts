// Starts executions on Step Functions, finds and describes them, and lists those that were stopped. Step Functions
// keeps an execution for 90 days after its end. Source: Step Functions API reference, StartExecution,
// DescribeExecution and ListExecutions.

import { DescribeExecutionCommand, ListExecutionsCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn'
import { awsFault } from '../aws-fault.ts'
import type { StateMachine } from '../contract/states.ts'
import { bareCause, errorName } from '../error-name.ts'
import { Defect, type OwnFault, type Transient } from '../errors.ts'
import { AWS_LIMITS, type AwsLimits, requestLimits } from '../keys/aws-limits.ts'
import type { FindExecution, ListStopped, Starter } from './starter.ts'

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

/** The returned function throws Transient, OwnFault, and Defect for a machine that the deployment does not name. */
export function createExecutionFinder(client: Pick<SFNClient, 'send'>, arns: StateMachineArns): FindExecution {
  return async (stateMachine: StateMachine, name) => {
    const stateMachineArn = arns[stateMachine]
    if (stateMachineArn === undefined) throw new Defect(`the deployment names no ARN of ${stateMachine}`)
    const executionArn = executionArnOf(stateMachineArn, name)
    try {
      const { status, stopDate, input, error } = await client.send(new DescribeExecutionCommand({ executionArn }))
      return { status: status ?? '', stoppedAtMs: stopDate?.getTime(), input, error }
    } catch (error) {
      if (errorName(error) === 'ExecutionDoesNotExist') return undefined
      throw awsFault('Step Functions did not describe an execution', error)
    }
  }
}

const STOPPED = ['ABORTED', 'TIMED_OUT', 'FAILED'] as const

/** The returned function throws Transient, OwnFault, and Defect for a machine that the deployment does not name. */
export function createStoppedLister(client: Pick<SFNClient, 'send'>, arns: StateMachineArns): ListStopped {
  return async (stateMachine, sinceMs, limit) => {
    const stateMachineArn = arns[stateMachine]
    if (stateMachineArn === undefined) throw new Defect(`the deployment names no ARN of ${stateMachine}`)
    const pages = await Promise.all(
      STOPPED.map((statusFilter) =>
        client
          .send(new ListExecutionsCommand({ stateMachineArn, statusFilter, maxResults: limit }))
          .catch((error: unknown) => {
            throw awsFault('Step Functions did not list executions', error)
          }),
      ),
    )
    const recent = pages.flatMap(({ executions = [] }) =>
      executions.filter(({ stopDate }) => (stopDate?.getTime() ?? 0) >= sinceMs),
    )
    return {
      names: recent.flatMap(({ name }) => name ?? []),
      // The latest starts come first.
      isCutOff: pages.some(
        ({ executions = [], nextToken }) =>
          nextToken !== undefined && (executions.at(-1)?.startDate?.getTime() ?? 0) >= sinceMs,
      ),
    }
  }
}
