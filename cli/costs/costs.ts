// `sluice costs`: prints what moving cost, by policy and month. Reads only.

import { localText } from '../../operations/books/period.ts'
import { type CostRequest, costsExitCode, readCosts } from '../../operations/costs/read-costs.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { COST_LIST, EXACT_COSTS } from '../../views/costs.ts'
import { printable } from '../../views/text/shown.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, noteFirst, printList } from '../terminal/listing.ts'

interface CostsFlags extends ConnectionFlags, ListFlags, CostRequest {}

/** @throws OperationError */
export async function costs(flags: CostsFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { from, to, zone, policy, csv, columns, wide, ...connectionFlags } = flags
  const known = csv === true ? EXACT_COSTS : COST_LIST
  assertListFlags(flags, output, known)
  const given = Object.entries({ from, to, zone, policy }).filter(([, text]) => text !== undefined)
  const read = await readCosts({ flags: connectionFlags, context }, Object.fromEntries(given))
  const { rows, unshown, unshownTotal } = read
  if (output.json) {
    output.facts({ from: read.from, to: read.to, zone: read.zone, rows, unshown, unshownTotal })
    return costsExitCode(read)
  }
  if (rows.length > 0 || csv === true) printList(known, rows, flags, context)
  else output.note('nothing moved and no policy ran in this time')
  noteFirst(
    unshown.map(({ id, message }) => `${id}: ${message}`),
    unshownTotal,
    output,
  )
  const [first, end] = [read.from, read.to].map((at) => localText(read.zone, Date.parse(at)))
  output.note(printable(`from ${first} until right before ${end} (${read.zone}), in settled units`))
  if (unshownTotal > 0) output.next([{ do: 'verify-journal' }])
  return costsExitCode(read)
}
