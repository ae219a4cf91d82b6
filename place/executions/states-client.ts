// Sends requests of Step Functions: to AWS by the SDK with its own configuration, and to a desk of this machine without
// the SDK. Loading it takes longer than all requests of a command that only looks.
import type {
  DescribeExecutionCommand,
  DescribeExecutionInput,
  DescribeExecutionOutput,
  DescribeStateMachineInput,
  DescribeStateMachineOutput,
  GetExecutionHistoryInput,
  GetExecutionHistoryOutput,
  ListExecutionsInput,
  ListExecutionsOutput,
  ListStateMachinesInput,
  ListStateMachinesOutput,
  StartExecutionInput,
  StartExecutionOutput,
} from '@aws-sdk/client-sfn'
import { type EndpointAccess, executionRequests } from '@sluice/embedded-aws'
import { AWS_LIMITS, requestLimits } from '../../core/keys/aws-limits.ts'
import { type AwsAddress, isDeployment } from '../aws/aws-address.ts'

/** The requests that are used, with their inputs and answers. */
interface Requests {
  readonly DescribeExecution: [DescribeExecutionInput, Partial<DescribeExecutionOutput>]
  readonly DescribeStateMachine: [DescribeStateMachineInput, Partial<DescribeStateMachineOutput>]
  readonly GetExecutionHistory: [GetExecutionHistoryInput, Partial<GetExecutionHistoryOutput>]
  readonly ListExecutions: [ListExecutionsInput, Partial<ListExecutionsOutput>]
  readonly ListStateMachines: [ListStateMachinesInput, Partial<ListStateMachinesOutput>]
  readonly StartExecution: [StartExecutionInput, Partial<StartExecutionOutput>]
}

/** Answers have times as `Date`, and errors have the name that Step Functions gives them. */
export interface StatesClient {
  /** `isPatient`: waits until AWS accepts the request, where it is throttled. For callers that read thousands. */
  send<Name extends keyof Requests>(
    name: Name,
    input: Requests[Name][0],
    isPatient?: boolean,
  ): Promise<Requests[Name][1]>
  destroy(): void
}

export function openStatesClient(address: AwsAddress): StatesClient {
  return isDeployment(address) ? sdkClient() : deskClient(address)
}

/** AWS allows some twenty of these requests a second, and the client slows down to that. */
const PATIENT = { retryMode: 'adaptive', maxAttempts: 12 } as const

/** Loads the SDK at the first request, because most commands read no execution. */
function sdkClient(): StatesClient {
  const open = async () => {
    const sdk = await import('@aws-sdk/client-sfn')
    const client = new sdk.SFNClient(requestLimits(AWS_LIMITS))
    return { sdk, client, patient: new sdk.SFNClient({ ...requestLimits(AWS_LIMITS), ...PATIENT }) }
  }
  let opened: ReturnType<typeof open> | undefined
  return {
    async send(name, input, isPatient = false) {
      opened ??= open()
      const { sdk, client, patient } = await opened
      const Command = sdk[`${name}Command`] as new (asked: typeof input) => DescribeExecutionCommand
      return (await (isPatient ? patient : client).send(new Command(input))) as never
    },
    destroy: () =>
      void opened?.then(({ client, patient }) => {
        client.destroy()
        patient.destroy()
      }),
  }
}

function deskClient(desk: EndpointAccess): StatesClient {
  const { perform, close } = executionRequests(desk)
  return { send: async (name, input) => dated(await perform(name, input)) as never, destroy: close }
}

/** The fields with a time, which JSON has as epoch seconds. */
const TIMES: ReadonlySet<string> = new Set(['startDate', 'stopDate', 'timestamp', 'creationDate'])

function dated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dated)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      TIMES.has(name) && typeof field === 'number' ? new Date(Math.round(field * 1_000)) : dated(field),
    ]),
  )
}
