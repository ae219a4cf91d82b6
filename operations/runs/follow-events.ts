// Follows an execution, and the executions that it starts, by the histories that Step Functions keeps. They may be on
// AWS or at a desk, started by anybody. It only reads.

import {
  DescribeExecutionCommand,
  GetExecutionHistoryCommand,
  type HistoryEvent,
  InvalidToken,
  type SFNClient,
} from '@aws-sdk/client-sfn'
import type { Clock } from '../../core/clock.ts'
import type { DescribedExecution } from '../../place/executions/aws-executions.ts'
import type { WatchedEvent } from './execution-events.ts'

export interface FollowPace {
  /** Pause between two reads, in ms. It grows from the first to the longest, and starts over after each event. */
  readonly firstMs: number
  readonly longestMs: number
}

export const DESK_PACE: FollowPace = { firstMs: 40, longestMs: 160 }
/**
 * GetExecutionHistory and DescribeExecution share a rate limit with all callers in the account, so the pauses are long.
 */
export const AWS_PACE: FollowPace = { firstMs: 500, longestMs: 4_000 }

interface FollowOptions {
  readonly client: SFNClient
  readonly clock: Clock
  readonly pace: FollowPace
  /** Receives each event of the execution, and of executions that it started, once. */
  readonly onEvent: (executionArn: string, event: WatchedEvent) => void
}

const PAGE = 1_000

/** How far the history of one execution has been read. */
export interface Cursor {
  readonly executionArn: string
  /** Token of the page that was read last; absent for the first page. */
  token?: string | undefined
  lastId: number
  isOver: boolean
}

/** @returns the execution, once it has ended */
export async function followExecutionEvents(executionArn: string, options: FollowOptions): Promise<DescribedExecution> {
  const { client, clock, pace } = options
  const cursors = new Map<string, Cursor>()
  const add = (arn: string) => {
    if (!cursors.has(arn)) cursors.set(arn, { executionArn: arn, lastId: 0, isOver: false })
  }
  add(executionArn)
  let pauseMs = pace.firstMs
  for (;;) {
    // Asked before the history is read: an execution that has ended by now has its whole history.
    const answer = await client.send(new DescribeExecutionCommand({ executionArn }))
    let read = 0
    // Executions that are found meanwhile are followed in the same turn.
    for (const cursor of cursors.values()) {
      if (cursor.isOver) continue
      for await (const event of newEvents(cursor, client)) {
        read += 1
        for (const child of startedBy(event)) add(child)
        options.onEvent(cursor.executionArn, watched(event))
      }
    }
    const { status = 'UNKNOWN', name = '', input = '{}', output, error, cause } = answer
    if (status !== 'RUNNING') return { executionArn, name, status, input, output, error, cause }
    pauseMs = read > 0 ? pace.firstMs : Math.min(pauseMs * 2, pace.longestMs)
    await clock.sleep(pauseMs)
  }
}

/** The events beyond the cursor, which advances. */
export async function* newEvents(cursor: Cursor, client: SFNClient): AsyncGenerator<HistoryEvent, void> {
  for (;;) {
    const { executionArn, token } = cursor
    const page = await client
      .send(new GetExecutionHistoryCommand({ executionArn, maxResults: PAGE, ...(token && { nextToken: token }) }))
      .catch((error: unknown) => {
        // A token lives for a day. After that the history is read from its beginning, and events already read are
        // skipped.
        if (!(error instanceof InvalidToken) || token === undefined) throw error
        cursor.token = undefined
        return undefined
      })
    if (page === undefined) continue
    for (const event of page.events ?? []) {
      const id = event.id ?? 0
      if (id <= cursor.lastId) continue
      cursor.lastId = id
      if (ENDS.test(event.type ?? '')) cursor.isOver = true
      yield event
    }
    // The last page grows, so it is requested again with the token that led to it.
    if (page.nextToken === undefined) return
    cursor.token = page.nextToken
  }
}

export const ENDS = /^Execution(Succeeded|Failed|Aborted|TimedOut)$/

/** The executions that a state has started (`states:startExecution.sync:2`). */
export function startedBy({
  taskSubmittedEventDetails: submitted,
}: Pick<HistoryEvent, 'taskSubmittedEventDetails'>): string[] {
  if (submitted?.resourceType !== 'states' || submitted.output === undefined) return []
  try {
    const { ExecutionArn: arn } = JSON.parse(submitted.output) as { readonly ExecutionArn?: unknown }
    return typeof arn === 'string' ? [arn] : []
  } catch {
    return []
  }
}

/** The SDK has the same fields, with `undefined` for what is absent. */
export function watched(event: HistoryEvent): WatchedEvent {
  return JSON.parse(JSON.stringify(event)) as WatchedEvent
}
