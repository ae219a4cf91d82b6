// Takes a person's decisions on cases, after consent, and prints what was recorded. `sluice cases foreign` records that a
// movement on the account is somebody else's. `cases resolve` settles an intent in doubt, and `cases release` writes off
// stranded balances. They move no money. `cases again` enters executions that stopped in doubt once more.

import { declareForeign, type ForeignInput } from '../../operations/cases/declare-foreign.ts'
import { type AgainInput, enterCases } from '../../operations/cases/enter-cases.ts'
import { releaseBalances } from '../../operations/cases/release.ts'
import { type ResolutionInput, resolveIntent } from '../../operations/cases/resolve-intent.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { ENTERED_COLUMNS, viewOfEntered } from '../../views/again-view.ts'
import { viewOfRelease, viewOfResolution } from '../../views/result-view.ts'
import { printable } from '../../views/text/shown.ts'
import type { ConsentFlags, DecisionFlags } from '../terminal/consent.ts'
import { askingAt } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'
import { printView } from '../terminal/print-result-view.ts'
import { createProgress } from '../terminal/progress.ts'

interface ForeignFlags extends ConnectionFlags, DecisionFlags, ForeignInput {}

/** @throws OperationError: exit 2 for flags and missing consent, exit 1 where the evidence contradicts the declaration */
export async function foreign(movementId: string, flags: ForeignFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const asking = askingAt(flags, context)
  const { foreign: declared, waiting } = await declareForeign(movementId, flags, flags, asking, context)
  const record = { movementId, ...(flags.kind && { kind: flags.kind }), foreign: declared }
  if (output.json) output.facts(record)
  else output.data(`${printable(movementId)} is somebody else's`)
  const why = 'where nothing moved for it'
  const settled = waiting.map((id) => ({ do: 'resolve', id, finding: 'nothing moved', why }) as const)
  output.next([...settled, { do: 'list-cases' }])
  return ExitCode.Done
}

/** @throws OperationError: exit 2 for flags and missing consent, exit 1 where there is nothing to release */
export async function release(
  policy: string,
  flags: ConnectionFlags & DecisionFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const released = await releaseBalances(policy, flags, flags, askingAt(flags, context), context)
  printView(viewOfRelease(released), context)
  context.output.next([{ do: 'list-cases' }])
  return ExitCode.Done
}

interface ResolveFlags extends ConnectionFlags, ConsentFlags, ResolutionInput {}

/** @throws OperationError: exit 2 for flags and missing consent, exit 1 where the evidence contradicts it */
export async function resolve(intentId: string, flags: ResolveFlags, context: CommandContext): Promise<ExitCode> {
  const resolved = await resolveIntent(intentId, flags, flags, askingAt(flags, context), context)
  printView(viewOfResolution(resolved), context)
  context.output.next([{ do: 'list-cases' }, 'the same run again gives its result'])
  return ExitCode.Done
}

interface AgainFlags extends ConnectionFlags, ListFlags, Omit<AgainInput, 'id'> {}

/**
 * Exits with 3 where a case still needs a person, or could not be entered.
 * @throws OperationError
 */
export async function again(id: string | undefined, flags: AgainFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, output } = context
  assertListFlags(flags, output, ENTERED_COLUMNS)
  const progress = createProgress(output, clock)
  const result = await enterCases({ ...flags, id }, flags, progress, context).finally(() => progress.end())
  const { entered, exitCode, inNeed, more } = result
  const { facts, notes } = viewOfEntered(result)
  if (output.json) output.facts(facts)
  else if (entered.length > 0 || flags.csv === true) printList(ENTERED_COLUMNS, entered, flags, context)
  for (const note of notes) output.note(note)
  output.next([...(more > 0 || inNeed > 0 ? [result.again] : []), { do: 'list-cases' }])
  return exitCode
}
