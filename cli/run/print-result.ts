// Prints the result of a run: as lines for a person at a terminal, and as one JSON object everywhere else, where programs
// rely on it.

import type { RunResult } from '../../operations/runs/operation.ts'
import type { RunWords } from '../../views/runs/policy-run-words.ts'
import type { CommandContext } from '../terminal/context.ts'
import { isWatched, screenWidth } from '../terminal/listing.ts'

export function printResult<Request extends object, Result extends RunResult>(
  { lines }: Pick<RunWords<Request, Result>, 'lines'>,
  result: Result,
  context: Pick<CommandContext, 'output' | 'stdout'>,
  met?: MetFacts,
): void {
  const { output } = context
  if (isWatched(context)) {
    for (const line of [...lines(result, screenWidth(context)), ...(met?.lines ?? [])]) output.text(line)
    return
  }
  output.facts(met === undefined ? result : { ...result, faults: met.faults })
  for (const line of met?.lines ?? []) output.note(line)
}

/** The requested faults that a run against a sandbox has met. */
interface MetFacts {
  /** The faults for programs. Null where they are unknown. */
  readonly faults: readonly object[] | null
  /** The same faults as lines for a person. */
  readonly lines: readonly string[]
}
