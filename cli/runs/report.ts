// `sluice runs report`: writes one run as an HTML page to a file. Reads the journal and the executions. Also makes
// links that terminals open, to files and executions.

import { pathToFileURL } from 'node:url'
import { writeOut } from '../../operations/files/report-file.ts'
import { readRunCourse } from '../../operations/runs/run.ts'
import type { Variables } from '../../place/context.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import { findRun } from '../../place/named-policy.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import { resolveSettings } from '../../place/settings.ts'
import { reportFile } from '../../place/state/state-layout.ts'
import { reportHtml } from '../../views/html/report-html.ts'
import { quoted } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { isWatched } from '../terminal/listing.ts'

/** Values of TERM_PROGRAM whose programs support links. */
const PROGRAMS = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty']

/** VTE supports links since 0.50. GNOME Terminal and its relatives use it. */
const LEAST_VTE = 5000

export function takesLinks({ TERM, TERM_PROGRAM, VTE_VERSION, ...others }: Variables): boolean {
  // tmux or screen is between this process and the terminal, and may not support links.
  if (TERM === 'dumb' || others.TMUX !== undefined || others.STY !== undefined) return false
  if (PROGRAMS.includes(TERM_PROGRAM ?? '') || Number(VTE_VERSION) >= LEAST_VTE) return true
  return ['WT_SESSION', 'KITTY_WINDOW_ID', 'KONSOLE_VERSION'].some((name) => others[name] !== undefined)
}

/** The path of a file, on a terminal with a link to it. `file` is printable, as for `Output.data`. */
export function linkedFile(file: string, context: Pick<CommandContext, 'output' | 'stdout' | 'variables'>): string {
  if (!isWatched(context) || !takesLinks(context.variables)) return file
  return `\u001b]8;;${pathToFileURL(file).href}\u001b\\${file}\u001b]8;;\u001b\\`
}

interface ReportFlags extends ConnectionFlags {
  readonly out?: string
}

/** @throws OperationError (exit 2) where the file cannot be written */
export async function reportRun(runId: string, flags: ReportFlags, context: CommandContext): Promise<ExitCode> {
  const { output, stdout, variables } = context
  if (flags.out === '') throw unfit('out', 'expected a file; got an empty name', 'give --out a file')
  const page = await withJournalConnection(
    flags,
    context,
    async (connection) => reportHtml(await readRunCourse(await findRun(runId, connection), connection)),
    { showsTour: true },
  )
  if (flags.out === '-') {
    stdout.write(page)
    return ExitCode.Done
  }
  const { state } = flags
  const { stateDir } = resolveSettings(state === undefined ? {} : { state }, { SLUICE_STATE: variables.SLUICE_STATE })
  const file = writeOut(flags.out, reportFile(stateDir, runId), page)
  if (output.json) output.facts({ runId, file })
  else output.data(linkedFile(file, context))
  output.next([`open ${quoted(file)}   # it makes no network requests`, { do: 'show-run', id: runId }])
  return ExitCode.Done
}
