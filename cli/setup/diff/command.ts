// The definition of `sluice setup diff`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../../operations/words/command-line.ts'
import type { AddCommand } from '../../terminal/commander.ts'
import { withListOptions } from '../../terminal/listing.ts'
import { withJournalOptions } from '../../terminal/options.ts'
import type { DiffFlags } from './diff.ts'

export const addDiff: AddCommand = (setup, context, endWith) => {
  withListOptions(
    withJournalOptions(
      setup.command('diff').description('say what treasury.json would change against what is deployed'),
    ),
  )
    .addHelpText('before', `Example:\n  ${INVOCATION} setup diff --aws\n`)
    .addHelpText('after', `\n${DIFF_HELP}`)
    .action(async (flags: DiffFlags) => endWith(await (await import('./diff.ts')).showDiff(flags, context)))
}

const DIFF_HELP = `One row a change: what loosens a bound first, then what changes no bound, then what tightens one. Without --aws the
file is held against what the running serve was started with. --json: {"release","deployed","file","changes":[{"kind",
"path","text"}]}, with a SHA-256 of either configuration. Moves nothing. Exit codes: 0 the difference was told, if there
is one; 1 nothing is deployed, or it does not answer; 2 wrong usage or configuration.`
