// `sluice movements export`: writes the table of movements to standard output or a file. Reads only.
import path from 'node:path'
import { counted } from '../../core/counted.ts'
import { printable, printableJson } from '../../core/printable.ts'
import type { ExitCode } from '../../operations/exit-code.ts'
import { writeParquet } from '../../operations/files/parquet-file.ts'
import { appending, writeWhole } from '../../operations/files/whole-file.ts'
import {
  type ExportedMovements,
  exportExitCode,
  exportMovements,
  type TakeRows,
} from '../../operations/movements/export/export-movements.ts'
import { type ExportFilters, readExportFilter } from '../../operations/movements/export/filter.ts'
import { MOVEMENT_COLUMNS } from '../../operations/movements/export/movement-row.ts'
import { usageError } from '../../operations/operation-error.ts'
import { type ConnectionFlags, commandWith } from '../../operations/words/command-line.ts'
import { CSV_ROWS, JSON_ROWS, type RowTexts } from '../../views/movements/movement-texts.ts'
import type { CommandContext } from '../terminal/context.ts'
import { printEach } from '../terminal/print-each.ts'

export interface ExportMovementsFlags extends ConnectionFlags, ExportFilters {
  readonly format?: string
  readonly out?: string
}

type Format = 'csv' | 'jsonl' | 'parquet'
const TEXTS: Readonly<Record<Exclude<Format, 'parquet'>, RowTexts>> = { csv: CSV_ROWS, jsonl: JSON_ROWS }
/** Maximum faults printed. --json has up to 1,000. */
const MOST_PRINTED = 50

/** @throws OperationError */
export async function exportTable(flags: ExportMovementsFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { format: formatFlag, out, kind, policy, asset, payee, outcome, since, before, ...connectionFlags } = flags
  const format = readFormat(formatFlag)
  assertPlace(format, out, output.json)
  const asked = { kind, policy, asset, payee, outcome, since, before }
  const filter = readExportFilter(Object.fromEntries(Object.entries(asked).filter(([, text]) => text !== undefined)))
  const exportTo = (take: TakeRows) => exportMovements({ flags: connectionFlags, context }, filter, take)
  const file = out === undefined ? undefined : path.resolve(out)
  const exported =
    file === undefined
      ? await exportTo(printing(format, context))
      : await writeWhole(file, (part) => exportTo(filling(part, format)))
  printSummary(exported, file, context)
  if (exported.unshownTotal > 0) output.next([commandWith('journal verify', connectionFlags)])
  return exportExitCode(exported)
}

function readFormat(text = 'csv'): Format {
  if (text === 'parquet' || text === 'csv' || text === 'jsonl') return text
  throw usageError('usage', '--format: expected csv, jsonl or parquet; got another', 'correct --format')
}

/** @throws OperationError (exit 2) where the rows have no place to go */
function assertPlace(format: Format, out: string | undefined, isJson: boolean): void {
  if (out === '') throw usageError('usage', '--out: expected a file; got an empty text', 'give --out a file')
  if (out !== undefined) return
  if (format === 'parquet')
    throw usageError('usage', '--out: expected a file for --format parquet; got nothing', 'add --out FILE')
  if (isJson)
    throw usageError(
      'usage',
      '--json: expected --out beside it, as it prints a summary in place of the rows; got none',
      'add --out FILE, or take --format jsonl without --json',
    )
}

function printing(format: Format, { stdout }: Pick<CommandContext, 'stdout'>): TakeRows {
  const { title, line } = format === 'jsonl' ? TEXTS.jsonl : TEXTS.csv
  return async (rows) => {
    if (title !== '') stdout.write(title)
    await printEach(rows, (row) => stdout.write(line(row)), Number.POSITIVE_INFINITY, stdout)
  }
}

function filling(file: string, format: Format): TakeRows {
  if (format === 'parquet') return (rows) => writeParquet(file, MOVEMENT_COLUMNS, rows)
  const { title, line } = TEXTS[format]
  return (rows) =>
    appending(file, async (append) => {
      append(title)
      for await (const row of rows) append(line(row))
    })
}

function printSummary(exported: ExportedMovements, file: string | undefined, { output }: CommandContext): void {
  const { rows, unshown, unshownTotal } = exported
  if (output.json) {
    output.data(printableJson({ file, rows, unshownTotal, unshown }))
    return
  }
  for (const { id, message } of unshown.slice(0, MOST_PRINTED)) output.note(printable(`${id}: ${message}`))
  if (unshownTotal > MOST_PRINTED) output.note(`… and ${unshownTotal - MOST_PRINTED} more; --json --out FILE has them`)
  output.note(`${counted(rows, 'movement')}${file === undefined ? '' : ` in ${file}`}; amounts are in settled units`)
}
