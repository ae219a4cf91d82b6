// Schedules make many errors, and nobody reads the stacks of them: a file runs several times faster without.
import { afterAll, beforeAll } from 'vitest'

/** For the file that calls it at its top. */
export function withoutStacks(): void {
  const { stackTraceLimit } = Error
  beforeAll(() => {
    Error.stackTraceLimit = 0
  })
  afterAll(() => {
    Error.stackTraceLimit = stackTraceLimit
  })
}
