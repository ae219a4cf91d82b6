// Records which attempt of which Task started an execution. After a restart the attempt finds its execution again, and
// it is known whether anybody still waits for it.
import { describe } from './execution-description.ts'
import type { LoggedExecution, StartedBy } from './execution-log.ts'
import { livePositions, positionOf } from './position.ts'

/** Names an attempt at a state. The same name returns only after a restart of the process. */
export function attemptName(redriveCount: number, retryCount: number): string {
  return `${redriveCount}.${retryCount}`
}

export function isSameAttempt(startedBy: StartedBy | undefined, other: StartedBy | undefined): boolean {
  return startedBy !== undefined && JSON.stringify(startedBy) === JSON.stringify(other)
}

/**
 * Whether the Task that waited for this execution is gone, with its execution or its branch. `isUnknown`: whether the
 * state of an execution is unknown.
 */
export function isOrphan(
  { header }: LoggedExecution,
  unfinished: ReadonlyMap<string, LoggedExecution>,
  isUnknown: (executionArn: string) => boolean,
): boolean {
  const { startedBy } = header
  if (startedBy?.waits !== true) return false
  if (isUnknown(startedBy.executionArn)) return false
  const parent = unfinished.get(startedBy.executionArn)
  if (parent === undefined || isOrphan(parent, unfinished, isUnknown)) return true
  const { redriveCount } = describe(parent)
  return !livePositions(positionOf(parent)).some(({ enteredId, retries }) => {
    const retryCount = (retries?.counts ?? []).reduce((sum, count) => sum + count, 0)
    return enteredId === startedBy.enteredId && attemptName(redriveCount, retryCount) === startedBy.attempt
  })
}
