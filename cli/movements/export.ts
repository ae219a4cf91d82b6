// `sluice movements export`: writes the table of movements to standard output or a file. It changes no record.

import { writeParquet } from '../../operations/files/parquet-file.ts'
import { writeWhole } from '../../operations/files/whole-file.ts'
import {
  type ExportedMovements,
  exportExitCode,
  exportMovements,
  type TakeRows,
} from '../../operations/movements/export/export-movements.ts'
import { type ExportFilters, readExportFilter } from '../../operations/movements/export/filter.ts'
import { MOVEMENT_COLUMNS } from '../../operations/movements/export/movement-row.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import { MOVEMENT_TEXTS } from '../../views/movements/movement-texts.ts'
import { counted } from '../../views/text/shown.ts'
import type { CommandContext } from '../terminal/context.ts'
import { noteFirst } from '../terminal/listing.ts'
import { type ExportFlags, exportTexts, readForm, readPlace } from '../terminal/row-export.ts'

interface ExportMovementsFlags extends ConnectionFlags, ExportFilters, ExportFlags {}

/** @throws OperationError */
export async function exportTable(flags: ExportMovementsFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { format: formatFlag, out, kind, policy, asset, payee, outcome, since, before, ...connectionFlags } = flags
  const format = readForm(formatFlag, ['csv', 'jsonl', 'parquet'])
  const file = readPlace(out, context)
  const asked = { kind, policy, asset, payee, outcome, since, before }
  const filter = readExportFilter(Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== undefined)))
  const exportTo = (take: TakeRows) => exportMovements({ flags: connectionFlags, context }, filter, take)
  const exported =
    format === 'parquet'
      ? await writeWhole(assertFile(file), (part) => exportTo((rows) => writeParquet(part, MOVEMENT_COLUMNS, rows)))
      : await exportTexts(MOVEMENT_TEXTS[format], file, context, exportTo)
  printSummary(exported, file, context)
  if (exported.unshownTotal > 0) output.next([{ do: 'verify-journal' }])
  return exportExitCode(exported)
}

/** @throws OperationError (exit 2) */
function assertFile(file: string | undefined): string {
  if (file !== undefined) return file
  throw unfit('out', 'expected a file for --format parquet; got nothing', 'add --out FILE')
}

function printSummary(exported: ExportedMovements, file: string | undefined, { output }: CommandContext): void {
  const { rows, unshown, unshownTotal } = exported
  if (output.json) {
    output.facts({ file, rows, unshownTotal, unshown })
    return
  }
  noteFirst(
    unshown.map(({ id, message }) => `${id}: ${message}`),
    unshownTotal,
    output,
    '--json --out FILE',
  )
  output.note(`${counted(rows, 'movement')}${file === undefined ? '' : ` in ${file}`}; amounts are in settled units`)
}
