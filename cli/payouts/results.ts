// `sluice payouts results`: lists the rows of a file with what became of each over all runs. Reads only. The flags and
// the columns of the other `sluice payouts` commands are here too.

import {
  type PayoutResult,
  readPayoutResults,
  resultsExitCode,
  whatIsLeft,
} from '../../operations/payouts/payout-results.ts'
import { findingText } from '../../operations/payouts/payout-runs.ts'
import { parseAsWritten, readPayoutBytes } from '../../operations/payouts/read-payout-file.ts'
import type { Column } from '../../operations/words/column.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags, Step } from '../../place/next-step.ts'
import { unfit, usageError } from '../../place/operation-error.ts'
import { counted } from '../../views/text/shown.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'

/** Flags of every `sluice payouts` command, as commander gives them. */
export interface PayFlags extends ConnectionFlags, ListFlags {
  readonly policy?: string
  readonly id?: string
  readonly by?: string
}

export const resultColumns: readonly Column<PayoutResult>[] = [
  { title: 'line', text: ({ line }) => String(line), isAmount: true },
  { title: 'id', text: ({ id }) => id, cutTo: 16 },
  { title: 'amount', text: ({ amount }) => amount, isAmount: true },
  { title: 'asset', text: ({ asset }) => asset },
  { title: 'outcome', text: ({ outcome }) => outcome },
  { title: 'fee', text: ({ fee }) => fee ?? '', isAmount: true },
  { title: 'contact', text: ({ contactId }) => contactId, isDetail: true },
  { title: 'reference', text: ({ reference }) => reference ?? '', isDetail: true },
  { title: 'why', text: ({ why }) => why ?? '', isDetail: true },
  {
    title: 'transaction',
    text: ({ transactionHash, bankReference }) => transactionHash ?? bankReference ?? '',
    isDetail: true,
  },
  { title: 'withdrawal', text: ({ withdrawalId }) => withdrawalId ?? '', isId: true },
  { title: 'intent', text: ({ intentId }) => intentId ?? '', isId: true },
  { title: 'run', text: ({ run }) => run ?? '', isId: true },
]

/** @throws OperationError (exit 2) */
export function policyOf({ policy }: PayFlags): string {
  if (policy !== undefined && policy !== '') return policy
  throw unfit('policy', 'expected the name of a policy of the kind payouts; got nothing', 'add --policy NAME')
}

/** @throws OperationError (exit 2) for a file with a fault */
export async function showResults(file: string, flags: PayFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, resultColumns)
  const policy = policyOf(flags)
  const { rows, findings } = parseAsWritten(await readPayoutBytes(file, context.stdin))
  if (findings.length > 0) throw usageError('input', findings.map(findingText).join('\n'), 'correct the file')
  const results = await readPayoutResults(rows, policy, flags, context)
  if (output.json) output.facts({ rows: results })
  else printResults(results, flags, context)
  output.next([...leftSteps(results, file, policy), { do: 'list-payouts', file, policy }])
  return resultsExitCode(results)
}

/** The step for rows that are not paid. None where they are under way, or differ from what was paid. */
export function leftSteps(results: readonly PayoutResult[], file: string, policy: string): readonly Step[] {
  const left = whatIsLeft(results)
  if (left === 'doubts') return [{ do: 'list-cases', why: 'a person settles the rows in doubt' }]
  const why = 'pays only the rows that are not paid, once the file has no finding'
  return left === 'nothing' ? [] : [{ do: 'run-payouts', file, policy, id: 'OTHER', needsKeys: true, why }]
}

export function printResults(results: readonly PayoutResult[], flags: PayFlags, context: CommandContext): void {
  printList(resultColumns, results, flags, context)
  const counts = new Map<string, number>()
  for (const { outcome } of results) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  context.output.note(
    `${counted(results.length, 'row')}: ${[...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')}`,
  )
}
