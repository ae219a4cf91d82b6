// `sluice people export`: writes the log of people to standard output or a file. Reads only.
import { counted, printableJson } from '../../core/printable.ts'
import { type ActFilters, readActFilter } from '../../operations/people/filter.ts'
import { exportPeopleLog, peopleLogExitCode } from '../../operations/people/people-log.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import { type ConnectionFlags, commandWith } from '../../place/words/command-line.ts'
import { ACT_TEXTS } from '../../views/people-texts.ts'
import type { CommandContext } from '../terminal/context.ts'
import { type ExportFlags, exportTexts, readForm, readPlace } from '../terminal/row-export.ts'
import { noteBroken } from './broken.ts'

export interface ExportPeopleFlags extends ConnectionFlags, ActFilters, ExportFlags {}

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
  if (output.json) output.data(printableJson({ file, rows, brokenTotal, broken }))
  else output.note(`${counted(rows, 'act')}${file === undefined ? '' : ` in ${file}`}`)
  noteBroken(exported, output)
  if (brokenTotal > 0) output.next([commandWith('journal verify', connectionFlags)])
  return peopleLogExitCode(exported)
}
