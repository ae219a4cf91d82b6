// Defines `sluice runs` and its `list` and `report`. `show` is that of movements. A command's code is loaded when the
// command runs.

import { addShow } from '../movements/show-command.ts'
import { command, noun } from '../terminal/commander.ts'
import { JOURNAL, LIST, SHADOW } from '../terminal/options.ts'

const list = command({
  name: 'list',
  isDefault: true,
  what: 'list runs of policies, latest first',
  options: [
    ...JOURNAL,
    ...LIST,
    ['--policy <name>', 'only runs of this policy'],
    SHADOW,
    ['--limit <n>', 'maximum runs (default: 50)'],
    ['--watch', 'list again every two seconds: a terminal is redrawn, elsewhere changes are appended'],
  ],
  example: 'runs list --policy month-end',
  load: async () => (await import('./list.ts')).showRuns,
})

const report = command({
  name: 'report',
  what: 'write the report of a run as one self-contained page',
  operands: [['<run>', 'the run, as runs list shows it']],
  options: [
    ...JOURNAL,
    ['--out <file>', 'where to (default: reports/RUN.html in the state directory; - is standard output)'],
  ],
  example: 'runs report RUN --out month-end.html',
  load: async () => (await import('./report.ts')).reportRun,
})

export const addRuns = noun(
  { name: 'runs', what: 'runs of policies: list, show, write the report', example: 'runs list --policy month-end' },
  [list, addShow('runs', 'month-end-2026-01'), report],
)
