// Answers the Step Functions API on the wire (AWS JSON 1.0), over Executions.
// Source: AWS Step Functions API Reference.
import { AwsError } from '../aws-error.ts'
import { type Endpoint, findText, type Permission, type RequestBody, textOf } from '../endpoint/endpoint.ts'
import { describe, type ExecutionDescription, redriveStatus } from './execution-description.ts'
import type { ListedExecution } from './execution-files.ts'
import type { Executions, StateMachine } from './executions.ts'
import { failureDetails } from './history.ts'
import { PAYLOAD_LIMIT_BYTES } from './json.ts'
import { executionOfToken } from './task-tokens.ts'

interface Operation {
  /** Returns the resource for which the caller's role needs `states:<operation>`. */
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
        const status = statusFilterOf(body)
        const all = executions.latest(textOf(body, 'stateMachineArn'), status === 'RUNNING')
        const { items, nextToken } = filteredPage(body, all, status)
        return { executions: items.map(listedExecution), ...nextToken }
      },
    },
    GetExecutionHistory: {
      resource: onExecution,
      perform(body) {
        const events = executions.history(textOf(body, 'executionArn'))
        const { items, nextToken } = page(body, body.reverseOrder === true ? events.toReversed() : events)
        return { events: items.map((event) => ({ ...event, timestamp: seconds(event.timestamp) })), ...nextToken }
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
    SendTaskSuccess: {
      resource: machineOfToken,
      async perform(body) {
        const output = textOf(body, 'output')
        if (!isJson(output)) throw new AwsError('InvalidOutput', "Invalid Output: 'SYNTAX_ERROR'")
        await executions.answerTask(textOf(body, 'taskToken'), { output })
        return {}
      },
    },
    SendTaskFailure: {
      resource: machineOfToken,
      async perform(body) {
        const failure = failureDetails(findText(body, 'error'), findText(body, 'cause'))
        await executions.answerTask(textOf(body, 'taskToken'), { failure })
        return {}
      },
    },
    SendTaskHeartbeat: {
      resource: machineOfToken,
      perform(body) {
        executions.beatTask(textOf(body, 'taskToken'))
        return {}
      },
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

/** A role needs the permission for the state machine whose Task waits. Throws InvalidToken. */
function machineOfToken(body: RequestBody): string {
  return executionOfToken(textOf(body, 'taskToken')).replace(/:execution:([^:]+):[^:]+$/, ':stateMachine:$1')
}

function isJson(text: string): boolean {
  if (Buffer.byteLength(text) > PAYLOAD_LIMIT_BYTES) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const STATUSES = ['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED', 'PENDING_REDRIVE']

function statusFilterOf(body: RequestBody): string | undefined {
  const status = findText(body, 'statusFilter')
  if (status === undefined || STATUSES.includes(status)) return status
  throw new AwsError(
    'ValidationException',
    `1 validation error detected: Value at 'statusFilter' failed to satisfy constraint: Member must satisfy enum value set: [${STATUSES.join(', ')}]`,
  )
}

/** Maximum executions read for one page. If few have the status, the page has fewer items than requested. */
const MOST_READ = PAGE_MOST

/**
 * Reads only what the page needs, because a machine may have thousands of executions. The token is a position in the
 * whole list.
 */
function filteredPage(
  body: RequestBody,
  all: readonly ListedExecution[],
  status: string | undefined,
): Page<ExecutionDescription> {
  const { size, from } = placeOf(body)
  const items: ExecutionDescription[] = []
  let next = from
  for (let read = 0; next < all.length && read < MOST_READ && items.length < size; next += 1) {
    const listed = all[next]
    if (status !== undefined && listed?.isOther(status)) continue
    read += 1
    const logged = listed?.read()
    const execution = logged && describe(logged)
    if (execution !== undefined && (status === undefined || execution.status === status)) items.push(execution)
  }
  return { items, nextToken: next < all.length ? { nextToken: String(next) } : {} }
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
  // The assembly has no date, so the creation date is unknown.
  return { stateMachineArn: arn, name, type: 'STANDARD', creationDate: 0 }
}

/** AWS JSON 1.0 writes times as seconds since the epoch. */
function seconds(date: Date): number {
  return date.getTime() / 1000
}

interface Page<T> {
  readonly items: readonly T[]
  readonly nextToken: { readonly nextToken?: string }
}

/** Returns a page of `items`. The token is the position of the next page. */
function page<T>(body: RequestBody, items: readonly T[]): Page<T> {
  const { size, from } = placeOf(body)
  const to = from + size
  return { items: items.slice(from, to), nextToken: to < items.length ? { nextToken: String(to) } : {} }
}

/** `maxResults`: 0 or absent means the default. */
function placeOf(body: RequestBody): { readonly size: number; readonly from: number } {
  const { maxResults = 0 } = body
  if (typeof maxResults !== 'number' || !Number.isInteger(maxResults) || maxResults < 0 || maxResults > PAGE_MOST) {
    throw new AwsError(
      'ValidationException',
      `1 validation error detected: Value at 'maxResults' failed to satisfy constraint: Member must have value between 0 and ${PAGE_MOST}`,
    )
  }
  const from = Number(findText(body, 'nextToken') ?? 0)
  if (!Number.isInteger(from) || from < 0) throw new AwsError('InvalidToken', 'Invalid Token: it was not issued here')
  return { size: maxResults === 0 ? PAGE_DEFAULT : maxResults, from }
}
