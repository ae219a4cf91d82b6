// Computes DescribeExecution's answer from an execution's log. Pure.
import type { LoggedExecution } from './execution-log.ts'
import { type ExecutionStatus, type HistoryEvent, statusAfter } from './history.ts'

export interface ExecutionDescription {
  readonly executionArn: string
  readonly stateMachineArn: string
  readonly name: string
  readonly status: ExecutionStatus
  /** Input and output are JSON texts. */
  readonly input: string
  readonly output?: string
  readonly error?: string
  readonly cause?: string
  readonly startDate: Date
  readonly stopDate?: Date
  readonly redriveCount: number
  readonly redriveDate?: Date
}

export function describe(logged: LoggedExecution): ExecutionDescription {
  const { header, events } = logged
  const last = events.findLast((event) => statusAfter(event) !== undefined)
  const status = (last && statusAfter(last)) ?? 'RUNNING'
  const redrives = events.filter((event) => event.type === 'ExecutionRedriven')
  const redriveDate = redrives.at(-1)?.timestamp
  return {
    executionArn: header.executionArn,
    stateMachineArn: header.stateMachineArn,
    name: header.name,
    status,
    input: events[0]?.executionStartedEventDetails?.input ?? '{}',
    startDate: new Date(header.startMs),
    redriveCount: redrives.length,
    ...(redriveDate !== undefined && { redriveDate }),
    ...(last !== undefined && status !== 'RUNNING' && { stopDate: last.timestamp, ...resultOf(last) }),
  }
}

/** On AWS the error of a time-out is only in the history. */
function resultOf(event: HistoryEvent): Pick<ExecutionDescription, 'output' | 'error' | 'cause'> {
  return {
    ...event.executionSucceededEventDetails,
    ...event.executionFailedEventDetails,
    ...event.executionAbortedEventDetails,
  }
}

/** Whether the execution can be redriven. If not, with AWS's reason. */
export function redriveStatus(status: ExecutionStatus): { readonly status: string; readonly reason?: string } {
  if (status !== 'RUNNING' && status !== 'SUCCEEDED') return { status: 'REDRIVABLE' }
  return { status: 'NOT_REDRIVABLE', reason: `Execution is ${status} and cannot be redriven` }
}
