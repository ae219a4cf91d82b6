// `sluice policies`: lists the policies of treasury.json, when each starts next, and what the journal knows about it. Reads
// only, and works before anything ran.

import { type PolicyRow, readPolicies } from '../../operations/overview/policy-rows.ts'
import type { Column } from '../../operations/words/column.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { advice, type ConnectionFlags, VERIFY } from '../../place/next-step.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'

const columns: readonly Column<PolicyRow>[] = [
  { title: 'policy', text: ({ policy }) => policy, cutTo: 12 },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'mode', text: ({ mode }) => mode },
  { title: 'schedule', text: ({ schedule }) => schedule ?? 'none', isDetail: true },
  { title: 'next start', text: ({ nextStart }) => nextStart ?? '', isTime: true },
  { title: 'under way', text: ({ holder }) => holder ?? '', isId: true },
  { title: 'last run', text: ({ lastRun, lastShadow }) => lastShadow?.runId ?? lastRun ?? 'never', isId: true },
  { title: 'outcome', text: ({ lastOutcome, lastShadow }) => lastShadow?.outcome ?? lastOutcome ?? '' },
  { title: 'failures', text: ({ failuresInRow }) => String(failuresInRow), isAmount: true, isDetail: true },
  { title: 'last moved', text: ({ lastTradedAt }) => lastTradedAt ?? '', isTime: true, isDetail: true },
  { title: 'halted', text: ({ halted }) => halted ?? '', isDetail: true },
]

export async function showPolicies(flags: ConnectionFlags & ListFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, columns)
  const { rows, isWaiting } = await readPolicies(flags, context)
  if (output.json) output.facts({ policies: rows, schedulesWait: isWaiting })
  else if (rows.length > 0 || flags.csv === true) printList(columns, rows, flags, context)
  if (isWaiting) output.note(advice`schedules start nothing yet: nobody has verified the keys; ${VERIFY} does`)
  if (rows.length === 0) output.note('treasury.json has no policies')
  output.next(
    rows.length === 0
      ? [`${INVOCATION} setup init --out policies.json   # writes one with an example`]
      : [{ do: 'plan', policy: rows[0]?.policy ?? '' }, { do: 'list-runs' }],
  )
  return ExitCode.Done
}
