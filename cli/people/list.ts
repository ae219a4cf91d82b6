// `sluice people list` shows what people asked for and decided, latest first. `sluice people export` writes that log
// to standard output or a file. Both name the records whose chain is broken. Reads only.

import { type ActFilters, readActFilter } from '../../operations/people/filter.ts'
import {
  type BrokenRecords,
  exportPeopleLog,
  peopleLogExitCode,
  readPeopleLog,
} from '../../operations/people/people-log.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { ACT_LIST, ACT_TEXTS } from '../../views/people-texts.ts'
import { counted } from '../../views/text/shown.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, noteFirst, printList, readLimit } from '../terminal/listing.ts'
import { type ExportFlags, exportTexts, readForm, readPlace } from '../terminal/row-export.ts'

interface ListPeopleFlags extends ConnectionFlags, ListFlags, ActFilters {
  readonly limit?: string
}

const DEFAULT_ACTS = 50
const MOST_ACTS = 10_000

/** @throws OperationError (exit 2) for a wrong filter */
export async function listPeople(flags: ListPeopleFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { person, did, since, before, limit: _limit, wide, csv, columns, ...connectionFlags } = flags
  assertListFlags(flags, output, ACT_LIST)
  const filter = readActFilter(flags)
  const limit = readLimit(flags.limit, { usual: DEFAULT_ACTS, most: MOST_ACTS })
  const log = await readPeopleLog({ flags: connectionFlags, context }, filter, limit)
  const { acts, broken, brokenTotal, hasMore } = log
  if (output.json) output.facts({ acts, hasMore, broken, brokenTotal })
  else if (acts.length > 0 || csv === true) printList(ACT_LIST, acts, flags, context)
  if (acts.length === 0) output.note('no act of a person matches')
  if (hasMore) output.note(`the latest ${acts.length}; there are more: --limit N shows N of them`)
  noteBroken(log, output)
  if (brokenTotal > 0) output.next([{ do: 'verify-journal' }])
  return peopleLogExitCode(log)
}

function noteBroken({ broken, brokenTotal }: BrokenRecords, output: CommandContext['output']): void {
  noteFirst(
    broken.map(({ message }) => `not in the log: ${message}`),
    brokenTotal,
    output,
  )
}

interface ExportPeopleFlags extends ConnectionFlags, ActFilters, ExportFlags {}

/** @throws OperationError */
export async function exportPeople(flags: ExportPeopleFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { format, out, person, did, since, before, ...connectionFlags } = flags
  const form = readForm(format, ['csv', 'jsonl'])
  const file = readPlace(out, context)
  const filter = readActFilter(flags)
  const exported = await exportTexts(ACT_TEXTS[form], file, context, (take) =>
    exportPeopleLog({ flags: connectionFlags, context }, filter, take),
  )
  const { broken, brokenTotal, rows } = exported
  if (output.json) output.facts({ file, rows, brokenTotal, broken })
  else output.note(`${counted(rows, 'act')}${file === undefined ? '' : ` in ${file}`}`)
  noteBroken(exported, output)
  if (brokenTotal > 0) output.next([{ do: 'verify-journal' }])
  return peopleLogExitCode(exported)
}
