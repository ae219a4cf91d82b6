// The Step Functions API on the wire (AWS JSON 1.0), over Executions.
// Source: AWS Step Functions API Reference.
import { AwsError } from '../aws-error.ts'
import type { Endpoint, Permission } from '../endpoint/endpoint.ts'
import { findText, type RequestBody, textOf } from '../endpoint/request-body.ts'
import { describe, type ExecutionDescription, redriveStatus } from './execution-description.ts'
import type { ReadExecution } from './execution-files.ts'
import type { Executions, StateMachine } from './executions.ts'
import type { HistoryEvent } from './history.ts'

interface Operation {
  /** Which resource the caller's role must allow `states:<operation>` on. */
  resource(body: RequestBody): string
  perform(body: RequestBody): unknown
}

const PAGE_DEFAULT = 100
const PAGE_MOST = 1000

export function statesEndpoint(executions: Executions, newId: () => string): Endpoint {
  const operations = operationsOver(executions, newId)
  const find = (name: string) => (Object.hasOwn(operations, name) ? operations[name] : undefined)
  return {
    service: 'states',
    targetPrefix: 'AWSStepFunctions',
    contentType: 'application/x-amz-json-1.0',
    permissionsFor(name, body): readonly Permission[] | undefined {
      const operation = find(name)
      return operation && [{ action: `states:${name}`, resource: operation.resource(body) }]
    },
    async perform(name, body) {
      return find(name)?.perform(body)
    },
  }
}

function operationsOver(executions: Executions, newId: () => string): Readonly<Record<string, Operation>> {
  const onMachine = (body: RequestBody) => textOf(body, 'stateMachineArn')
  const onExecution = (body: RequestBody) => textOf(body, 'executionArn')
  return {
    StartExecution: {
      resource: onMachine,
      perform(body) {
        const name = findText(body, 'name') ?? newId()
        const started = executions.start(textOf(body, 'stateMachineArn'), name, findText(body, 'input') ?? '{}')
        return { executionArn: started.executionArn, startDate: seconds(started.startDate) }
      },
    },
    DescribeExecution: {
      resource: onExecution,
      perform: (body) => describedExecution(executions.describe(textOf(body, 'executionArn'))),
    },
    ListExecutions: {
      resource: onMachine,
      perform(body) {
        const status = findText(body, 'statusFilter')
        const all = executions.latest(textOf(body, 'stateMachineArn'), status === 'RUNNING')
        const wanted = status === undefined ? all : all.filter((read) => statusOf(read) === status)
        // Only what is on the page is read: a machine may have thousands of executions.
        const { items, nextToken } = page(body, wanted)
        return {
          executions: items
            .flatMap((read) => read() ?? [])
            .map(describe)
            .map(listedExecution),
          ...nextToken,
        }
      },
    },
    GetExecutionHistory: {
      resource: onExecution,
      perform(body) {
        const events = executions.history(textOf(body, 'executionArn'))
        const { items, nextToken } = page(body, body.reverseOrder === true ? events.toReversed() : events)
        return { events: items.map(wireEvent), ...nextToken }
      },
    },
    StopExecution: {
      resource: onExecution,
      perform: (body) => ({
        stopDate: seconds(
          executions.stop(textOf(body, 'executionArn'), findText(body, 'error'), findText(body, 'cause')),
        ),
      }),
    },
    RedriveExecution: {
      resource: onExecution,
      perform: (body) => ({ redriveDate: seconds(executions.redrive(textOf(body, 'executionArn'))) }),
    },
    ListStateMachines: {
      resource: () => '*',
      perform(body) {
        const { items, nextToken } = page(body, executions.machines())
        return { stateMachines: items.map(listedMachine), ...nextToken }
      },
    },
    DescribeStateMachine: {
      resource: onMachine,
      perform(body) {
        const machine = executions.machine(textOf(body, 'stateMachineArn'))
        return {
          ...listedMachine(machine),
          status: 'ACTIVE',
          definition: machine.definitionText,
          roleArn: machine.roleArn,
        }
      },
    },
  }
}

function statusOf(read: ReadExecution): string | undefined {
  const logged = read()
  return logged && describe(logged).status
}

function describedExecution(execution: ExecutionDescription): object {
  const { startDate, stopDate, redriveDate, ...rest } = execution
  const redrive = redriveStatus(execution.status)
  return {
    ...rest,
    redriveStatus: redrive.status,
    ...(redrive.reason !== undefined && { redriveStatusReason: redrive.reason }),
    inputDetails: { included: true },
    ...(execution.output !== undefined && { outputDetails: { included: true } }),
    ...dates(execution),
  }
}

function listedExecution(execution: ExecutionDescription): object {
  const { executionArn, stateMachineArn, name, status, redriveCount } = execution
  return { executionArn, stateMachineArn, name, status, redriveCount, ...dates(execution) }
}

function dates({ startDate, stopDate, redriveDate }: ExecutionDescription): object {
  return {
    startDate: seconds(startDate),
    ...(stopDate !== undefined && { stopDate: seconds(stopDate) }),
    ...(redriveDate !== undefined && { redriveDate: seconds(redriveDate) }),
  }
}

function listedMachine({ arn, name }: StateMachine): object {
  // When it was created is not kept; the assembly has no date.
  return { stateMachineArn: arn, name, type: 'STANDARD', creationDate: 0 }
}

function wireEvent({ mapStateFailedEventDetails, ...event }: HistoryEvent): object {
  return { ...event, timestamp: seconds(event.timestamp) }
}

/** AWS JSON 1.0 writes times as seconds since the epoch. */
function seconds(date: Date): number {
  return date.getTime() / 1000
}

/** A page of `items`; the token is the place where the next one starts. */
function page<T>(
  body: RequestBody,
  items: readonly T[],
): { readonly items: readonly T[]; readonly nextToken: { readonly nextToken?: string } } {
  const size = typeof body.maxResults === 'number' && body.maxResults > 0 ? body.maxResults : PAGE_DEFAULT
  const from = Number(findText(body, 'nextToken') ?? 0)
  if (!Number.isInteger(from) || from < 0) throw new AwsError('InvalidToken', 'Invalid Token: it is not ours')
  const to = from + Math.min(size, PAGE_MOST)
  return { items: items.slice(from, to), nextToken: to < items.length ? { nextToken: String(to) } : {} }
}
