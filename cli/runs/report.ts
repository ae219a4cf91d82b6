// `sluice runs report`: writes one run as an HTML page to a file. Reads the journal and the executions.
import { printableJson } from '../../core/printable.ts'
import { withJournalConnection } from '../../operations/connection/journal/journal-connection.ts'
import { findRun } from '../../operations/connection/named-run.ts'
import { resolveSettings } from '../../operations/connection/settings.ts'
import { reportFile } from '../../operations/connection/state/state-layout.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { writeOut } from '../../operations/files/report-file.ts'
import { usageError } from '../../operations/operation-error.ts'
import { readRunCourse } from '../../operations/runs/run.ts'
import { type ConnectionFlags, commandIn, quoted } from '../../operations/words/command-line.ts'
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
