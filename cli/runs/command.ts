// Defines `sluice runs` and its `list` and `report`: options and help. `show` is that of movements. A command's code is
// loaded when the command runs.

import { addShow } from '../movements/show-command.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, addNoun, withJournalOptions } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import type { RunsFlags } from './list.ts'
import type { ReportFlags } from './report.ts'

export const addRuns: AddCommand = (program, context, endWith) => {
  const runs = addNoun(program, {
    name: 'runs',
    description: 'runs of policies: list, show, write the report',
    example: 'runs list --policy month-end',
  })
  addList(runs, context, endWith)
  addShow('month-end-2026-01')(runs, context, endWith)
  addReport(runs, context, endWith)
}

const addList: AddCommand = (runs, context, endWith) => {
  withListOptions(
    withJournalOptions(runs.command('list', { isDefault: true }).description('list runs of policies, latest first')),
  )
    .option('--policy <name>', 'only runs of this policy')
    .option('--shadow', 'also runs in shadow mode, and plans that people asked for')
    .option('--limit <n>', 'maximum runs (default: 50)')
    .option('--watch', 'list again every two seconds: a terminal is redrawn, elsewhere changes are appended')
    .addHelpText('before', `Example:\n  ${INVOCATION} runs list --policy month-end\n`)
    .action(async (flags: RunsFlags) => endWith(await (await import('./list.ts')).showRuns(flags, context)))
}

const addReport: AddCommand = (runs, context, endWith) => {
  withJournalOptions(runs.command('report').description('write the report of a run as one self-contained page'))
    .argument('<run>', 'the run, as runs list shows it')
    .option('--out <file>', 'where to (default: reports/RUN.html in the state directory; - is standard output)')
    .addHelpText('before', `Example:\n  ${INVOCATION} runs report RUN --out month-end.html\n`)
    .action(async (runId: string, flags: ReportFlags) =>
      endWith(await (await import('./report.ts')).reportRun(runId, flags, context)),
    )
}
