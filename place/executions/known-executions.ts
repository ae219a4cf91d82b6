// Reads and starts executions on AWS, or at a desk of another process, by the API of Step Functions. The SDK's client
// is loaded at first use, because loading takes some 30 ms. At a desk the lists need no SDK.

import { type BareRequests, type EndpointAccess, executionRequests } from '@sluice/embedded-aws'
import type { StateMachine } from '../../core/contract/states.ts'
import type { AwsAddress } from '../aws/aws-address.ts'
import type { AwsExecutions, KnownExecution } from './aws-executions.ts'
import type { ExecutionHistory } from './execution-history.ts'
import type { ExecutionSource } from './execution-source.ts'
import { type ExecutionLists, type ExecutionNames, executionNames } from './executions-by-status.ts'

export interface KnownExecutions {
  /** Names of executions, newest first. AWS keeps them for 90 days. */
  readonly listExecutions: ExecutionNames['listExecutions']
  /** The execution of this name; undefined where it does not exist, or is no longer kept. */
  findExecution(stateMachine: StateMachine, name: string): Promise<KnownExecution | undefined>
  /** The execution with its steps. AWS keeps it for 90 days. */
  findHistory(stateMachine: StateMachine, name: string): Promise<ExecutionHistory | undefined>
  /** The deployed definition of a state machine; absent where no desk and no deployment answers. */
  readonly findDefinition?: AwsExecutions['definition']
  readonly executions: ExecutionSource
  /** Present on AWS, and where a desk of another process continues them. */
  readonly startExecution?: AwsExecutions['start']
}

/** Opens them when the first is read, because most commands read no execution. */
export async function withExecutionsOf<Result>(
  desk: EndpointAccess,
  work: (known: KnownExecutions) => Promise<Result>,
): Promise<Result> {
  let opened: ReturnType<typeof openExecutions> | undefined
  const { perform, close } = executionRequests(desk)
  const open = () => {
    opened ??= openExecutions(desk)
    return opened
  }
  try {
    return await work({
      findExecution: async (...asked) => (await open()).executions.find(...asked),
      findHistory: async (...asked) => (await open()).executions.history(...asked),
      findDefinition: async (...asked) => (await open()).executions.definition(...asked),
      listExecutions: executionNames(listsOf(perform), desk).listExecutions,
      startExecution: async (...asked) => (await open()).executions.start(...asked),
      executions: {
        async *walk(...asked) {
          yield* (await open()).source.walk(...asked)
        },
        read: async (...asked) => (await open()).source.read(...asked),
      },
    })
  } finally {
    close()
    const { executions, source } = (await opened) ?? {}
    source?.destroy()
    executions?.destroy()
  }
}

type Answers = { readonly [Request in keyof ExecutionLists]: Awaited<ReturnType<ExecutionLists[Request]>> }

function listsOf(perform: BareRequests['perform']): ExecutionLists {
  return {
    listStateMachines: async (input) => (await perform('ListStateMachines', input)) as Answers['listStateMachines'],
    listExecutions: async (input) => (await perform('ListExecutions', input)) as Answers['listExecutions'],
  }
}

/** The caller destroys both. */
export async function openExecutions(address: AwsAddress) {
  const [{ awsExecutions }, { awsSource }] = await Promise.all([
    import('./aws-executions.ts'),
    import('./aws-source.ts'),
  ])
  return { executions: awsExecutions(address), source: awsSource(address) }
}
