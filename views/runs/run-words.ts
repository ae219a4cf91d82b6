// Defines the words for a run of one operation: its request, its events, and its result.

import type { Watch } from '../../operations/runs/execution-events.ts'
import type { RunResult } from '../../operations/runs/operation.ts'
import type { ConnectionFlags } from '../../place/words/command-line.ts'

export interface RunWords<Request extends object = object, Result extends RunResult = RunResult> {
  readonly watch: Watch<Request>
  ask(request: Request): string
  describe(result: Result, request: Request): string
  /** The result as lines; `width` is in columns. */
  lines(result: Result, width: number): readonly string[]
  /** Names what a person must examine to decide. */
  movementOf(result: Result): string
  /** The next commands after this result. Undefined where they are those of every run. */
  nextAfter?(result: Result, flags: ConnectionFlags): readonly string[] | undefined
}
