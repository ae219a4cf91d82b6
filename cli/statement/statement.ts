// `sluice statement`: prints the statement of the account over a period. Reads only.

import { localText } from '../../operations/books/period.ts'
import type { AccountStatement } from '../../operations/books/statement/account-statement.ts'
import {
  readStatement,
  type StatementRequest,
  statementExitCode,
} from '../../operations/books/statement/make-statement.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { STATEMENT_COLUMNS, statementFileRows, statementRows } from '../../views/books/statement-rows.ts'
import { printable } from '../../views/text/shown.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, noteFirst, printList } from '../terminal/listing.ts'

interface StatementFlags extends ConnectionFlags, ListFlags, StatementRequest {}

/** @throws OperationError */
export async function statement(flags: StatementFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { from, to, zone, asset, csv, columns, wide, ...connectionFlags } = flags
  assertListFlags(flags, output, STATEMENT_COLUMNS)
  const given = Object.entries({ from, to, zone, asset }).filter(([, text]) => text !== undefined)
  const made = await readStatement({ flags: connectionFlags, context }, Object.fromEntries(given))
  if (output.json) output.facts(made)
  else {
    const rows = csv === true ? statementFileRows(made) : made.assets.flatMap(statementRows)
    printList(STATEMENT_COLUMNS, rows, flags, context)
  }
  if (!output.json) printNotes(made, context)
  if (!made.isProven) output.next([{ do: 'audit' }])
  return statementExitCode(made)
}

function printNotes(made: AccountStatement, { output }: CommandContext): void {
  const { account, assets, faults, faultsTotal, from, to, zone } = made
  noteFirst(faults, faultsTotal, output)
  if (assets.length === 0) output.note('nothing was held or moved in this time')
  const [first, end] = [from, to].map((at) => localText(zone, Date.parse(at)))
  output.note(
    printable(`account ${account ?? '(unknown)'} from ${first} until right before ${end} (${zone}), in settled units`),
  )
  const unproven = assets.filter(({ proof }) => !proof.isProven).map((each) => each.asset)
  if (unproven.length > 0) output.note(printable(`not proven: ${unproven.join(', ')}`))
  else if (faultsTotal > 0) output.note('every balance is proven, and some entries do not fit')
  else output.note('every asset is proven to the last digit')
}
