// Reads the log of executions by the API of Step Functions, on AWS or at a desk. Reads only.
import {
  ExecutionDoesNotExist,
  type ExecutionListItem,
  type HistoryEvent,
  paginateListExecutions,
  SFNClient,
} from '@aws-sdk/client-sfn'
import { StateMachine } from '../../core/contract/states.ts'
import { type AwsAddress, clientConfigAt } from '../../place/aws/aws-address.ts'
import { awsExecutions } from '../../place/executions/aws-executions.ts'
import { newEvents, startedBy, watched } from '../runs/follow-events.ts'
import type { ListedExecution, LoggedEvent, LogSource } from './log-source.ts'

export function apiSource(address: AwsAddress): LogSource & { destroy(): void } {
  const client = new SFNClient(clientConfigAt(address))
  const executions = awsExecutions(address)
  return {
    async *list(stateMachine, { pageSize, isRunning }) {
      const stateMachineArn = await executions.arnOf(stateMachine)
      if (stateMachineArn === undefined) return
      const asked = { stateMachineArn, ...(isRunning === true && { statusFilter: 'RUNNING' as const }) }
      for await (const page of paginateListExecutions({ client, pageSize }, asked)) {
        for (const listed of page.executions ?? []) yield listedExecution(listed)
      }
    },
    async find(stateMachine, name) {
      return (await executions.find(stateMachine, name))?.executionArn
    },
    async *events(cursor) {
      try {
        for await (const event of newEvents(cursor, client)) yield loggedEvent(event)
      } catch (error) {
        // AWS forgets executions that ended 90 days ago.
        if (!(error instanceof ExecutionDoesNotExist)) throw error
        cursor.isOver = true
      }
    },
    async account() {
      return (await executions.arnOf(StateMachine.Convert))?.split(':')[4]
    },
    destroy() {
      executions.destroy()
      client.destroy()
    },
  }
}

function listedExecution({
  executionArn = '',
  redriveCount = 0,
  startDate,
  stopDate,
}: ExecutionListItem): ListedExecution {
  return { executionArn, startedMs: startDate?.getTime() ?? 0, endedMs: stopDate?.getTime(), redrives: redriveCount }
}

function loggedEvent(event: HistoryEvent): LoggedEvent {
  return { atMs: event.timestamp?.getTime() ?? 0, event: watched(event), started: startedBy(event) }
}
