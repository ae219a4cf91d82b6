// Finds, reads and starts executions by the API of Step Functions, on AWS or at a desk: by the name of their state
// machine and their own name.
import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  ListStateMachinesCommand,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'
import type { StateMachine } from '../../core/contract/states.ts'
import { type AwsAddress, clientConfigAt } from '../aws/aws-address.ts'
import { type ExecutionHistory, historyOf } from './execution-history.ts'
import { type ExecutionLists, type ExecutionNames, executionNames } from './executions-by-status.ts'

const PAGE = 1_000
/**
 * Maximum pages of one execution's history. It has at most 25,000 events, and a page may have fewer than were
 * requested.
 */
const MOST_HISTORY_PAGES = 250
/**
 * For callers that read thousands. AWS allows some twenty of these calls a second, and the client slows down to that.
 */
export const PATIENT = { retryMode: 'adaptive', maxAttempts: 12 } as const

/** The known facts of an execution, on AWS or in a state directory. */
export interface KnownExecution {
  readonly status: string
  readonly output?: string | undefined
  readonly error?: string | undefined
  readonly cause?: string | undefined
}

/** An execution as Step Functions describes it. */
export interface DescribedExecution extends KnownExecution {
  readonly executionArn: string
  readonly name: string
  readonly input: string
}

export interface ReadExecution extends ExecutionHistory {
  readonly input: string
}

export interface Started {
  readonly executionArn: string
}

/** `taken`: an execution of this name has ended, or runs with another input. */
type Unstarted = 'taken' | 'no machine'

export interface AwsExecutions extends ExecutionNames {
  /** The deployed definition of the state machine, in the Amazon States Language. */
  definition(stateMachine: StateMachine): Promise<string | undefined>
  find(stateMachine: StateMachine, name: string): Promise<DescribedExecution | undefined>
  /** The execution with its input as text and its steps, oldest first. */
  read(stateMachine: StateMachine, name: string): Promise<ReadExecution | undefined>
  /** Its steps, oldest first. */
  history(stateMachine: StateMachine, name: string): Promise<ExecutionHistory | undefined>
  /** `input` is JSON text. The same name and input again is the same execution, as long as it runs. */
  start(stateMachine: StateMachine, name: string, input: string): Promise<Started | Unstarted>
  destroy(): void
}

/** `isPatient`: waits until AWS accepts the call, where it is throttled. */
export function awsExecutions(address: AwsAddress, { isPatient = false } = {}): AwsExecutions {
  const client = new SFNClient({ ...clientConfigAt(address), ...(isPatient && PATIENT) })
  const { arnOf, listExecutions } = executionNames(listsOf(client), address)
  const read: AwsExecutions['read'] = async (stateMachine, name) => {
    const machineArn = await arnOf(stateMachine)
    if (machineArn === undefined) return undefined
    const executionArn = executionArnOf(machineArn, name)
    try {
      const described = await client.send(new DescribeExecutionCommand({ executionArn }))
      const { events, isCutOff } = await eventsOf(executionArn, client)
      const history = historyOf({ ...described, executionArn, name, events })
      return { ...history, ...(isCutOff && { isCutOff }), input: described.input ?? '{}' }
    } catch (failure) {
      if (failure instanceof ExecutionDoesNotExist) return undefined
      throw failure
    }
  }
  return {
    arnOf,
    async definition(stateMachine) {
      const stateMachineArn = await arnOf(stateMachine)
      if (stateMachineArn === undefined) return undefined
      return (await client.send(new DescribeStateMachineCommand({ stateMachineArn }))).definition
    },
    async start(stateMachine, name, input) {
      const stateMachineArn = await arnOf(stateMachine)
      if (stateMachineArn === undefined) return 'no machine'
      const request = { stateMachineArn, name, input }
      try {
        const { executionArn = name } = await client.send(new StartExecutionCommand(request))
        return { executionArn }
      } catch (failure) {
        if (failure instanceof ExecutionAlreadyExists) return 'taken'
        throw failure
      }
    },

    async find(stateMachine, name) {
      const machineArn = await arnOf(stateMachine)
      if (machineArn === undefined) return undefined
      const executionArn = executionArnOf(machineArn, name)
      try {
        const answer = await client.send(new DescribeExecutionCommand({ executionArn }))
        const { status = 'UNKNOWN', input = '{}', output, error, cause } = answer
        return { executionArn, name, status, input, output, error, cause }
      } catch (failure) {
        if (failure instanceof ExecutionDoesNotExist) return undefined
        throw failure
      }
    },

    listExecutions,
    read,
    async history(stateMachine, name) {
      const found = await read(stateMachine, name)
      if (found === undefined) return undefined
      const { input: _input, ...history } = found
      return history
    },
    destroy: () => client.destroy(),
  }
}

function listsOf(client: SFNClient): ExecutionLists {
  return {
    listStateMachines: (input) => client.send(new ListStateMachinesCommand(input)),
    listExecutions: (input) => client.send(new ListExecutionsCommand(input)),
  }
}

function executionArnOf(machineArn: string, name: string): string {
  return `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`
}

async function eventsOf(
  executionArn: string,
  client: SFNClient,
): Promise<{ readonly events: HistoryEvent[]; readonly isCutOff: boolean }> {
  const events: HistoryEvent[] = []
  let nextToken: string | undefined
  for (let pages = 0; pages < MOST_HISTORY_PAGES; pages += 1) {
    const request = { executionArn, maxResults: PAGE, ...(nextToken !== undefined && { nextToken }) }
    const page = await client.send(new GetExecutionHistoryCommand(request))
    events.push(...(page.events ?? []))
    nextToken = page.nextToken
    if (nextToken === undefined) return { events, isCutOff: false }
  }
  return { events, isCutOff: true }
}
