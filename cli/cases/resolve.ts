// `sluice cases resolve`: records a person's decision on an intent in doubt, once the person has consented.

import { type ResolutionInput, resolveIntent } from '../../operations/cases/resolve-intent.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { type ConnectionFlags, commandIn } from '../../place/words/command-line.ts'
import { viewOfResolution } from '../../views/resolved.ts'
import type { ConsentFlags } from '../terminal/consent.ts'
import { askingAt } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { printView } from '../terminal/print-result-view.ts'

export interface ResolveFlags extends ConnectionFlags, ConsentFlags, ResolutionInput {}

/** @throws OperationError: exit 2 for flags and missing consent, exit 1 where the evidence contradicts it */
export async function resolve(intentId: string, flags: ResolveFlags, context: CommandContext): Promise<ExitCode> {
  const resolved = await resolveIntent(intentId, flags, flags, askingAt(flags, context), context)
  printView(viewOfResolution(resolved), context)
  context.output.next([commandIn('cases list', flags), 'the same run again gives its result'])
  return ExitCode.Done
}
