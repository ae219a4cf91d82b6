// `sluice approve` and `sluice reject`: a person's decision on the plan of a waiting run, or on the terms of one movement.
// Shows the plan, asks for a yes while it holds no lock of the state directory, and prints the result of the decision.

import { type Decided, type DecisionCallbacks, type DecisionInput, decide } from '../../operations/runs/decide.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags, Step } from '../../place/next-step.ts'
import { viewOfDecision } from '../../views/decided.ts'
import { policyRunWords } from '../../views/runs/policy-run-words.ts'
import { reportLines } from '../../views/runs/report-text.ts'
import { printResult } from '../run/print-result.ts'
import type { ConsentFlags } from '../terminal/consent.ts'
import { askingAt } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { noteWidth, type WideFlag } from '../terminal/listing.ts'
import { printView } from '../terminal/print-result-view.ts'
import { createProgress } from '../terminal/progress.ts'

/** One object has both parts: the decision itself, and the connection to the journal. */
interface DecideFlags extends ConnectionFlags, ConsentFlags, DecisionInput, WideFlag {}

/**
 * Records the decision, continues the run, and exits as the run does. If that is cut off, the same command, typed again,
 * continues the run.
 * @throws OperationError: exit 2 for flags and missing consent, exit 1 where the run no longer waits
 */
export function decideAs(verb: 'approve' | 'reject') {
  return async (id: string, flags: DecideFlags, context: CommandContext): Promise<ExitCode> =>
    print(await decide(verb, id, flags, flags, callbacksOf(flags, context), context), context)
}

function callbacksOf(flags: DecideFlags, context: CommandContext): DecisionCallbacks {
  const { clock, output } = context
  return {
    withConsent: askingAt(flags, context),
    showPlan(report) {
      for (const line of reportLines(report, noteWidth(context, flags))) output.note(line)
    },
    watch: policyRunWords.watch,
    beginProgress: () => createProgress(output, clock),
  }
}

function print(decided: Decided, context: CommandContext): ExitCode {
  const { output } = context
  const view = viewOfDecision(decided)
  if (decided.end === 'run ended') {
    printResult(policyRunWords, decided.result, context)
    for (const note of [...(view.says === undefined ? [] : [view.says]), ...view.notes]) output.note(note)
  } else printView(view, context)
  output.next(nextOf(decided))
  return decided.exitCode
}

function nextOf(decided: Decided): readonly Step[] {
  switch (decided.end) {
    case 'movement decided':
      return [{ do: 'show-movement', id: decided.movement.intentId }]
    case 'needs another person':
      return [{ do: 'approve', id: decided.run.runId, why: 'by another person' }]
    case 'run ended': {
      const { runId } = decided.result
      return [
        { do: 'report-run', id: runId, why: 'as a page' },
        { do: 'show-run', id: runId },
      ]
    }
    case 'rejected':
      return [{ do: 'list-runs' }]
    case 'answered':
      return [{ do: 'show-run', id: decided.runId }]
    case 'decided before':
      return [{ do: 'show-run', id: decided.run.runId }]
  }
}
