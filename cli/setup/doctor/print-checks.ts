// Prints the findings of the doctor: as lines for a person, as JSON or CSV for a program, and their count.

import type { Treasury } from '../../../core/contract/treasury.ts'
import { printableJson } from '../../../core/printable.ts'
import { type Check, countOf } from '../../../operations/doctor/check.ts'
import { CHECK_COLUMNS, checkLines } from '../../../views/checks.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { type ListFlags, printList, screenWidth } from '../../terminal/listing.ts'

export function printChecks(
  checks: readonly Check[],
  { service }: Pick<Treasury, 'service'>,
  flags: ListFlags,
  context: CommandContext,
): void {
  const { output, stdout } = context
  if (output.json) output.data(printableJson(checks))
  else if (flags.csv === true || flags.columns !== undefined) printList(CHECK_COLUMNS, checks, flags, context)
  else for (const line of checkLines(checks, stdout, screenWidth(context, flags))) output.data(line)
  const [fine, warned, failed] = (['ok', 'warn', 'fail'] as const).map((status) => countOf(checks, status))
  output.note(`${fine} ok, ${warned} warn, ${failed} fail, for the stage ${service.stage}`)
}
