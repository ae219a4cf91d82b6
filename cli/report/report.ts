// `sluice report`: writes one run as an HTML page to a file. Reads the journal and the executions.
import { printableJson } from '../terminal/printable.ts'
import { reportOfRun } from '../../core/runs/record/run-record.ts'
import { readLegs } from '../show/intent-course.ts'
import { withJournalTarget } from '../target/journal/journal-target.ts'
import { findRun } from '../target/named-run.ts'
import { resolveSettings } from '../target/settings.ts'
import { reportFile } from '../target/state/state-layout.ts'
import { usageError } from '../terminal/command-error.ts'
import { commandIn, quoted, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { linkedFile } from '../terminal/link.ts'
import { writeOut } from './report-file.ts'
import { reportHtml } from './report-html.ts'

export interface ReportFlags extends TargetFlags {
  readonly out?: string
}

/** @throws CommandError (exit 2) where the file cannot be written */
export async function reportRun(runId: string, flags: ReportFlags, context: CommandContext): Promise<ExitCode> {
  const { output, stdout, variables } = context
  if (flags.out === '') throw usageError('usage', '--out: expected a file; got an empty name', 'give --out a file')
  const page = await withJournalTarget(
    flags,
    context,
    async (target) => {
      const report = reportOfRun(await findRun(runId, flags, target))
      return reportHtml(report, await readLegs(report, target))
    },
    { showsTour: true },
  )
  if (flags.out === '-') {
    stdout.write(page)
    return ExitCode.Done
  }
  const { state } = flags
  const { stateDir } = resolveSettings(state === undefined ? {} : { state }, { SLUICE_STATE: variables.SLUICE_STATE })
  const file = writeOut(flags.out, reportFile(stateDir, runId), page)
  output.data(output.json ? printableJson({ runId, file }) : linkedFile(file, context))
  output.next([`open ${quoted(file)}   # it asks nothing of any network`, commandIn(`show ${runId}`, flags)])
  return ExitCode.Done
}
