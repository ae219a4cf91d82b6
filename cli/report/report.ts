// `sluice report`: writes one run as an HTML page to a file. Reads the journal only.
import path from 'node:path'
import { type RunRecord, reportOfRun } from '../../core/runs/record/run-record.ts'
import { withJournalTarget } from '../target/journal/journal-target.ts'
import { findRun } from '../target/named-run.ts'
import { resolveSettings } from '../target/settings.ts'
import { reportFile } from '../target/state/state-layout.ts'
import { usageError } from '../terminal/command-error.ts'
import { commandIn, quoted, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { linkedFile } from '../terminal/link.ts'
import { systemCodeOf } from '../terminal/system-error.ts'
import { printableJson } from '../terminal/table.ts'
import { writePage } from './report-file.ts'
import { reportHtml } from './report-html.ts'

export interface ReportFlags extends TargetFlags {
  readonly out?: string
}

/** @throws CommandError (exit 2) where the file cannot be written */
export async function reportRun(runId: string, flags: ReportFlags, context: CommandContext): Promise<ExitCode> {
  const { output, stdout, variables } = context
  if (flags.out === '') throw usageError('usage', '--out: expected a file; got an empty name', 'give --out a file')
  const run = await withJournalTarget(flags, context, (target) => findRun(runId, flags, target))
  if (flags.out === '-') {
    stdout.write(reportHtml(reportOfRun(run)))
    return ExitCode.Done
  }
  const { state } = flags
  const { stateDir } = resolveSettings(state === undefined ? {} : { state }, { SLUICE_STATE: variables.SLUICE_STATE })
  const file = writeReport(run, flags.out === undefined ? reportFile(stateDir, runId) : path.resolve(flags.out))
  output.data(output.json ? printableJson({ runId, file }) : linkedFile(file, context))
  output.next([`open ${quoted(file)}   # it asks nothing of any network`, commandIn(`show ${runId}`, flags)])
  return ExitCode.Done
}

/** @returns the file. @throws CommandError (exit 2) where it cannot be written */
function writeReport(run: RunRecord, file: string): string {
  try {
    writePage(file, reportHtml(reportOfRun(run)))
    return file
  } catch (error) {
    throw usageError(
      'usage',
      `--out: cannot write ${file} (${systemCodeOf(error)})`,
      'give --out a file that can be written',
    )
  }
}
