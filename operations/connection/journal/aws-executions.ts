// Finds and starts executions by the API of Step Functions, on AWS or at a desk: by the name of their state machine and
// their own name.
import {
  DescribeExecutionCommand,
  DescribeStateMachineCommand,
  ExecutionAlreadyExists,
  ExecutionDoesNotExist,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  ListExecutionsCommand,
  paginateListStateMachines,
  SFNClient,
  StartExecutionCommand,
} from '@aws-sdk/client-sfn'
import type { StateMachine } from '../../../core/contract/states.ts'
import { type AwsAddress, clientConfigAt, nameAt } from '../aws-address.ts'
import { type ExecutionHistory, historyOf } from './execution-history.ts'

/** Maximum pages of state machines in an account and region, with 1,000 on a page. */
const MOST_PAGES = 20
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

/** Maximum pages of a list of executions. Step Functions may put fewer on a page than were requested. */
const MOST_LIST_PAGES = 20

export interface ListedExecutions {
  readonly names: readonly string[]
  /** Whether there may be older ones. */
  readonly isCutOff: boolean
}

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

export interface AwsExecutions {
  /** Undefined where the state machine does not exist. */
  arnOf(stateMachine: StateMachine): Promise<string | undefined>
  /** The deployed definition of the state machine, in the Amazon States Language. */
  definition(stateMachine: StateMachine): Promise<string | undefined>
  find(stateMachine: StateMachine, name: string): Promise<DescribedExecution | undefined>
  /**
   * Executions that failed, were stopped or timed out within the last 90 days. The newest of each status come first, at
   * most `limit` of each. Step Functions lists an execution some moments after its end.
   */
  listFailed(stateMachine: StateMachine, limit: number): Promise<ListedExecutions>
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
  let arns: Promise<ReadonlyMap<string, string>> | undefined
  const arnOf = async (stateMachine: StateMachine) => {
    arns ??= machineArns(client).catch((error: unknown) => {
      // A passing failure must not be cached.
      arns = undefined
      throw error
    })
    return (await arns).get(nameAt(address, stateMachine))
  }
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

    async listFailed(stateMachine, limit) {
      const stateMachineArn = await arnOf(stateMachine)
      if (stateMachineArn === undefined) return { names: [], isCutOff: false }
      const lists = await Promise.all(UNFOLLOWED.map((status) => endedOf(stateMachineArn, status, limit, client)))
      return { names: lists.flatMap(({ names }) => names), isCutOff: lists.some(({ isCutOff }) => isCutOff) }
    },

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

function executionArnOf(machineArn: string, name: string): string {
  return `${machineArn.replace(':stateMachine:', ':execution:')}:${name}`
}

/** Ends that may leave a movement unfollowed. A list has one status. */
const UNFOLLOWED = ['FAILED', 'ABORTED', 'TIMED_OUT'] as const

async function endedOf(
  stateMachineArn: string,
  statusFilter: (typeof UNFOLLOWED)[number],
  limit: number,
  client: SFNClient,
): Promise<ListedExecutions> {
  const names: string[] = []
  let nextToken: string | undefined
  for (let pages = 0; pages < MOST_LIST_PAGES && names.length < limit; pages += 1) {
    const request = {
      stateMachineArn,
      statusFilter,
      maxResults: Math.min(PAGE, limit - names.length),
    } as const
    const page = await client.send(new ListExecutionsCommand({ ...request, ...(nextToken && { nextToken }) }))
    names.push(...(page.executions ?? []).flatMap(({ name }) => name ?? []))
    nextToken = page.nextToken
    if (nextToken === undefined) return { names, isCutOff: false }
  }
  return { names, isCutOff: true }
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

async function machineArns(client: SFNClient): Promise<ReadonlyMap<string, string>> {
  const arns = new Map<string, string>()
  let pages = 0
  for await (const { stateMachines = [] } of paginateListStateMachines({ client, pageSize: PAGE }, {})) {
    for (const { name, stateMachineArn } of stateMachines) if (name && stateMachineArn) arns.set(name, stateMachineArn)
    pages += 1
    if (pages === MOST_PAGES) break
  }
  return arns
}
