// Defines the words for a run of one operation, and puts a policy run that a person starts into words: its request,
// its events, and its result.

import { RunEnd, type RunRequest } from '../../core/contract/runs.ts'
import type { Watch } from '../../operations/runs/execution-events.ts'
import type { RunResult } from '../../operations/runs/operation.ts'
import type { PolicyRunResult } from '../../operations/runs/policy-run.ts'
import { outcomeWords, whyNow } from '../../operations/words/outcome-words.ts'
import { policyRequestText } from '../../operations/words/request-words.ts'
import type { Step } from '../../place/next-step.ts'
import { watchRun } from '../narration/watch-run.ts'
import { reportLines } from './report-text.ts'

export const policyRunWords: RunWords<RunRequest, PolicyRunResult> = {
  watch: (runId, _request, progress, inputOf) => watchRun(runId, progress, { inputOf }),
  ask: policyRequestText,
  describe: describeResult,
  lines: (result, width) => ('legs' in result ? reportLines(result, width) : []),
  movementOf: ({ runId }) => `the legs of run ${runId}`,
  nextAfter,
}

/** Once people have decided, the reason to wait for them is over. */
function describeResult(result: PolicyRunResult): string {
  const decision = 'approval' in result ? result.approval?.decision : undefined
  return whyNow(result, decision) ?? outcomeWords(result.outcome, decision).says
}

function nextAfter({ outcome, runId: id }: PolicyRunResult): readonly Step[] | undefined {
  if (outcome === RunEnd.AwaitingApproval) {
    return [
      { do: 'show-run', id, why: 'the plan that waits' },
      { do: 'decide', id, why: 'or reject' },
    ]
  }
  if (outcome === RunEnd.NeedsAttention) return undefined
  return [{ do: 'report-run', id, why: 'as a page' }, { do: 'list-runs' }]
}

export interface RunWords<Request extends object = object, Result extends RunResult = RunResult> {
  readonly watch: Watch<Request>
  ask(request: Request): string
  describe(result: Result, request: Request): string
  /** The result as lines; `width` is in columns. */
  lines(result: Result, width: number): readonly string[]
  /** Names what a person must examine to decide. */
  movementOf(result: Result): string
  /** The next steps after this result. Undefined where they are those of every run. */
  nextAfter?(result: Result): readonly Step[] | undefined
}
