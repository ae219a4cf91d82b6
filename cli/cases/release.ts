// `sluice cases release`: asks for consent, and prints whose stranded balances were released.

import { releaseBalances } from '../../operations/cases/release.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { type ConnectionFlags, commandIn } from '../../place/words/command-line.ts'
import { viewOfRelease } from '../../views/released.ts'
import type { DecisionFlags } from '../terminal/consent.ts'
import { askingAt } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { printView } from '../terminal/print-result-view.ts'

export interface ReleaseFlags extends ConnectionFlags, DecisionFlags {}

/** @throws OperationError: exit 2 for flags and missing consent, exit 1 where there is nothing to release */
export async function release(policy: string, flags: ReleaseFlags, context: CommandContext): Promise<ExitCode> {
  const released = await releaseBalances(policy, flags, flags, askingAt(flags, context), context)
  printView(viewOfRelease(released), context)
  context.output.next([commandIn('cases list', flags)])
  return ExitCode.Done
}
