// Makes commander's commands of the words: `sluice account`, `sluice balances`, and so on.
import type { Command } from 'commander'
import { withServiceOptions } from '../target/options.ts'
import type { Flags } from '../target/settings.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { ExitCode } from '../terminal/exit-code.ts'
import { type ReadingWords, readings } from './queries.ts'

type EndWith = (code: ExitCode) => void

export function addReadingCommands(program: Command, context: CommandContext, endWith: EndWith): void {
  for (const words of readings) {
    const command = addReading(program, words, context, endWith)
    if (words.name === 'contacts') addRename(command, context, endWith)
  }
}

function addReading(program: Command, words: ReadingWords, context: CommandContext, endWith: EndWith): Command {
  const command = program.command(words.name).description(words.what)
  if (words.argument !== undefined) command.argument(words.argument.name, words.argument.what)
  for (const { flag, what } of words.filters) command.option(flag, what)
  if (words.canRebase) command.option('--rebased', 'figures in shares of the underlying equity, for people')
  if (words.isList) {
    command.option('--limit <n>', 'at most so many records (default: 100 in a table, all as JSON)')
    command.option('--jsonl', 'one JSON object a line, as they come')
  }
  return withServiceOptions(command)
    .addHelpText('before', `Example:\n  ${INVOCATION} ${words.example}\n`)
    .action(async (...given: unknown[]) => {
      const { runReading } = await import('./query.ts')
      const argument = words.argument === undefined ? undefined : (given[0] as string | undefined)
      endWith(await runReading(words, argument, command.opts(), context))
    })
}

export interface RenameFlags extends Flags {
  readonly alias?: string
  readonly yes?: boolean
  /** False with --no-input. */
  readonly input?: boolean
}

function addRename(contacts: Command, context: CommandContext, endWith: EndWith): void {
  // So that what stands behind `rename` is for it.
  const command = contacts.enablePositionalOptions().command('rename').configureHelp({ showGlobalOptions: false })
  withServiceOptions(
    command
      .description("change a contact's label; where it leads to stays as it is")
      .argument('<id>', 'the contact')
      .option('--alias <text>', 'the new label')
      .option('--yes', 'do not ask')
      .option('--no-input', 'never ask: without --yes nothing is changed'),
  )
    .addHelpText('before', `Example:\n  ${INVOCATION} contacts rename ID --alias 'Cold storage'\n`)
    .action(async (id: string) => {
      const { renameContact } = await import('./rename-contact.ts')
      endWith(await renameContact(id, command.optsWithGlobals<RenameFlags>(), context))
    })
}
