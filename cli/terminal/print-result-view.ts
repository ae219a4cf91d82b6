// Prints the view of a result: its facts as one JSON object, or its lines, and its notes.

import type { ResultView } from '../../views/result-view.ts'
import type { CommandContext } from './context.ts'
import { screenWidth, type WideFlag } from './listing.ts'

export function printView(
  { facts, lines, notes }: ResultView,
  context: Pick<CommandContext, 'output' | 'stdout'>,
  flags: WideFlag = {},
): void {
  const { output } = context
  if (output.json) output.facts(facts)
  else {
    // --wide keeps the lines of its tables whole.
    const print = flags.wide === true ? output.data : output.text
    for (const line of lines(screenWidth(context, flags))) print(line)
  }
  for (const note of notes) output.note(note)
}
