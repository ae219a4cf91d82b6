// The definition of `sluice report`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withJournalOptions } from '../terminal/options.ts'
import type { ReportFlags } from './report.ts'

export const addReport: AddCommand = (program, context, endWith) => {
  withJournalOptions(
    program.command('report').description('write the report of a run as one page that stands by itself'),
  )
    .argument('<run>', 'the run, as runs shows it')
    .option('--out <file>', 'where to (default: reports/RUN.html in the state directory; - is standard output)')
    .addHelpText('before', `Example:\n  ${INVOCATION} report RUN --out month-end.html\n`)
    .action(async (runId: string, flags: ReportFlags) =>
      endWith(await (await import('./report.ts')).reportRun(runId, flags, context)),
    )
}
