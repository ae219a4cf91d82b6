// Schedules create many errors, and nobody reads their stacks. Without stacks a file runs several times faster.
import { afterAll, beforeAll } from 'vitest'

/** Call it at the top of a test file. */
export function withoutStacks(): void {
  const { stackTraceLimit } = Error
  beforeAll(() => {
    Error.stackTraceLimit = 0
  })
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit
  })
}
