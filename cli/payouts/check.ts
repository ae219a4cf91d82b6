// `sluice payouts check`: checks a file whole, and pays nothing.

import {
  type CheckedPayouts,
  checkLines,
  checkPayouts,
  type PayoutFinding,
  type PayoutTotal,
} from '../../operations/payouts/check-payouts.ts'
import { readPayingPolicy } from '../../operations/payouts/payout-runs.ts'
import { parseAsWritten, parseForPolicy, readPayoutBytes } from '../../operations/payouts/read-payout-file.ts'
import type { Column } from '../../operations/words/column.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { policyRunWords } from '../../views/runs/policy-run-words.ts'
import { counted } from '../../views/text/shown.ts'
import type { CommandContext } from '../terminal/context.ts'
import { printTable } from '../terminal/listing.ts'
import { createProgress } from '../terminal/progress.ts'
import { type PayFlags, policyOf } from './results.ts'

const totalColumns = (payees: CheckedPayouts['payees']): readonly Column<PayoutTotal>[] => [
  { title: 'asset', text: ({ asset }) => asset },
  { title: 'payee', text: ({ contactId }) => (contactId === undefined ? 'all' : (payees[contactId] ?? contactId)) },
  { title: 'rows', text: ({ rows }) => String(rows), isAmount: true },
  { title: 'amount', text: ({ amount }) => amount, isAmount: true },
]

const findings: readonly Column<PayoutFinding>[] = [
  { title: 'line', text: ({ line }) => (line === undefined ? 'file' : String(line)) },
  { title: 'row', text: ({ id }) => id ?? '' },
  { title: 'finding', text: ({ says }) => says, isDetail: true },
]

/** @throws OperationError (exit 2) */
export async function checkFile(file: string, flags: PayFlags, context: CommandContext): Promise<ExitCode> {
  const policy = policyOf(flags)
  const bytes = await readPayoutBytes(file, context.stdin)
  const again = { do: 'check-payouts', file, policy } as const
  const progress = createProgress(context.output, context.clock)
  const check = async () => {
    const written = parseAsWritten(bytes)
    if (written.rows.length === 0) return checkLines(policy, written)
    const payingPolicy = await readPayingPolicy(policy, flags, context)
    return checkPayouts(await parseForPolicy(bytes, payingPolicy), payingPolicy, again, {
      watch: policyRunWords.watch,
      progress,
    })
  }
  const checked = await check().finally(() => progress.end())
  print(checked, flags, context)
  const isSound = checked.findings.length === 0
  context.output.next([isSound ? { do: 'run-payouts', file, policy } : again])
  return isSound ? ExitCode.Done : ExitCode.Failed
}

function print(checked: CheckedPayouts, flags: PayFlags, context: CommandContext): void {
  const { output } = context
  if (output.json) {
    output.facts(checked)
    return
  }
  const { rows, toPay, notes } = checked
  if (rows > 0)
    printTable(totalColumns(checked.payees), [...checked.totals.byAsset, ...checked.totals.byPayee], flags, context)
  for (const [title, found] of [
    ['findings', checked.findings],
    ['notes', notes],
  ] as const) {
    if (found.length === 0) continue
    output.data(`\n${title}:`)
    printTable(findings, found, flags, context)
  }
  const end =
    checked.findings.length > 0
      ? `nothing would be paid: ${counted(checked.findings.length, 'finding')}`
      : `${toPay} would be paid now`
  output.note(`${counted(rows, 'row')}, ${end}`)
}
