// The words for a run of one operation: what is asked for, what happens meanwhile, and what came of it.

import type { Watch } from '../../operations/runs/execution-events.ts'
import type { RunResult } from '../../operations/runs/operation.ts'
import type { TargetFlags } from '../../operations/words/command-line.ts'

export interface RunWords<Request extends object = object, Result extends RunResult = RunResult> {
  /** Reports the events of the execution. */
  readonly watch: Watch<Request>
  /** What is asked for, in a few words. */
  ask(request: Request): string
  /** One sentence for a person. */
  describe(result: Result, request: Request): string
  /** The result for a screen that is so wide. */
  lines(result: Result, width: number): readonly string[]
  /** What a person who has to decide looks at. */
  movementOf(result: Result): string
  /** The commands that come next after this result. Undefined where they are those of every run. */
  nextAfter?(result: Result, flags: TargetFlags): readonly string[] | undefined
}
