// The definition of `sluice reconcile`: its options and its help. The command's work is loaded when it runs.

import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand } from '../terminal/commander.ts'
import { withListOptions } from '../terminal/listing.ts'
import { withServiceOptions } from '../terminal/options.ts'
import type { ReconcileFlags } from './reconcile.ts'

export const addReconcile: AddCommand = (program, context, endWith) => {
  const command = program
    .command('reconcile')
    .description('audit what moved at the service against the journal, and change nothing')
  withListOptions(withServiceOptions(command))
    .option('--aws', "the deployed audit of the deployed journal, by the AWS SDK's own configuration")
    .option(
      '--since <time>',
      'judges what moved after this (default: from where the last audit ended, or the last day)',
    )
    .addHelpText('before', `Example:\n  ${INVOCATION} reconcile --since 2026-01-31T00:00:00Z\n`)
    .addHelpText(
      'after',
      `
Prints one line a finding; with --json the whole report as one JSON object. What moved in the last 20 minutes or so
is left for a later audit, because its claim may still be under way: the first line says which, and from when on it is
judged. Unfinished runs of the state directory stay where
they are: the key may be one that only reads. Exit codes:
  0    what moved ties out with the journal
  1    the audit could not be made
  2    wrong usage, configuration or keys
  5    there are findings; docs/runbook.md says what to do about each`,
    )
    .action(async (flags: ReconcileFlags) => {
      const { runReconcile } = await import('./reconcile.ts')
      endWith(await runReconcile(flags, context))
    })
}
