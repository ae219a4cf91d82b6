// Says which attempt of which Task started an execution. By that the attempt finds it again after a start of the
// process, and it is known whether anybody still waits for it.
import { describe } from './execution-description.ts'
import type { LoggedExecution, StartedBy } from './execution-log.ts'
import { livePositions, positionOf } from './position.ts'

/** Tells the attempts at one state apart: it is the same one only after a start of the process. */
export function attemptName(redriveCount: number, retryCount: number): string {
  return `${redriveCount}.${retryCount}`
}

export function isSameAttempt(startedBy: StartedBy | undefined, other: StartedBy | undefined): boolean {
  return startedBy !== undefined && JSON.stringify(startedBy) === JSON.stringify(other)
}

/**
 * Whether the Task that waited for it has gone: its execution ended, or its branch did. `isUnknown`: nobody can tell of
 * that execution.
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
