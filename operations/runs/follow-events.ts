// Follows an execution, and the executions that it starts, by the histories that Step Functions keeps. They may be on
// AWS or at a desk, started by anybody. It only reads.
import type { Clock } from '../../core/clock.ts'
import type { ApiExecutions } from '../../place/executions/api-executions.ts'
import type { WatchedEvent } from '../../place/executions/execution-history.ts'
import type { DescribedExecution, HistoryCursor } from '../../place/executions/executions.ts'

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
  readonly executions: Pick<ApiExecutions, 'describe' | 'events'>
  readonly clock: Clock
  readonly pace: FollowPace
  /** Receives each event of the execution, and of executions that it started, once. */
  readonly onEvent: (executionArn: string, event: WatchedEvent) => void
}

/** @returns the execution, once it has ended */
export async function followExecutionEvents(executionArn: string, options: FollowOptions): Promise<DescribedExecution> {
  const { executions, clock, pace } = options
  const cursors = new Map<string, HistoryCursor>()
  const add = (arn: string) => {
    if (!cursors.has(arn)) cursors.set(arn, { executionArn: arn, lastId: 0, isOver: false })
  }
  add(executionArn)
  let pauseMs = pace.firstMs
  for (;;) {
    // Asked before the history is read: an execution that has ended by now has its whole history.
    const found = await executions.describe(executionArn)
    let read = 0
    // Executions that are found meanwhile are followed in the same turn.
    for (const cursor of cursors.values()) {
      if (cursor.isOver) continue
      for await (const { event, started } of executions.events(cursor)) {
        read += 1
        for (const child of started) add(child)
        options.onEvent(cursor.executionArn, event)
      }
    }
    if (found.status !== 'RUNNING') return found
    pauseMs = read > 0 ? pace.firstMs : Math.min(pauseMs * 2, pace.longestMs)
    await clock.sleep(pauseMs)
  }
}
