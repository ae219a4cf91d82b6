// `sluice runs report`: writes one run as an HTML page to a file. Reads the journal and the executions.
import { printableJson } from '../../core/printable.ts'
import { writeOut } from '../../operations/files/report-file.ts'
import { readRunCourse } from '../../operations/runs/run.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { withJournalConnection } from '../../place/journal/journal-connection.ts'
import { findRun } from '../../place/named-run.ts'
import { usageError } from '../../place/operation-error.ts'
import { resolveSettings } from '../../place/settings.ts'
import { reportFile } from '../../place/state/state-layout.ts'
import { type ConnectionFlags, commandIn, quoted } from '../../place/words/command-line.ts'
import { reportHtml } from '../../views/html/report-html.ts'
import type { CommandContext } from '../terminal/context.ts'
import { linkedFile } from '../terminal/link.ts'

export interface ReportFlags extends ConnectionFlags {
  readonly out?: string
}

/** @throws OperationError (exit 2) where the file cannot be written */
export async function reportRun(runId: string, flags: ReportFlags, context: CommandContext): Promise<ExitCode> {
  const { output, stdout, variables } = context
  if (flags.out === '') throw usageError('usage', '--out: expected a file; got an empty name', 'give --out a file')
  const page = await withJournalConnection(
    flags,
    context,
    async (connection) => reportHtml(await readRunCourse(await findRun(runId, flags, connection), connection)),
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
  output.next([`open ${quoted(file)}   # it makes no network requests`, commandIn(`runs show ${runId}`, flags)])
  return ExitCode.Done
}
