// Defines `sluice setup diff`: options and help. Its code is loaded when it runs.

import { INVOCATION } from '../../terminal/command-line.ts'
import { type AddCommand, withJournalOptions } from '../../terminal/commander.ts'
import { withListOptions } from '../../terminal/listing.ts'
import type { DiffFlags } from './diff.ts'

export const addDiff: AddCommand = (setup, context, endWith) => {
  withListOptions(
    withJournalOptions(
      setup.command('diff').description('show what treasury.json would change against what is deployed'),
    ),
  )
    .option('--exit-code', 'end with 7 where a bound is loosened, for pipelines')
    .addHelpText('before', `Example:\n  ${INVOCATION} setup diff --aws\n`)
    .addHelpText('after', `\n${DIFF_HELP}`)
    .action(async (flags: DiffFlags) => endWith(await (await import('./diff.ts')).showDiff(flags, context)))
}

const DIFF_HELP = `Each change is a row: first loosened bounds, then changes of no bound, then tightened bounds. Without --aws the
file is compared with the configuration of the running serve. --json: {"release","deployed","file","changes":[{"kind",
"path","text"}]}, with a SHA-256 of either configuration. Moves nothing. Exit codes: 0 the difference was shown, if
any; 1 what is deployed is not known; 2 wrong usage or configuration; 7 with --exit-code, a bound is loosened; 8 nothing
is deployed.`
