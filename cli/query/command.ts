// The definitions of the commands that show the account (`sluice account`, `sluice balances`, and so on), made of the
// list in queries.ts. Their work is loaded when one runs.
import type { Command } from 'commander'
import { type QueryDefinition, queries } from '../../operations/service/queries.ts'
import { INVOCATION } from '../../operations/words/command-line.ts'
import type { AddCommand, EndWith } from '../terminal/commander.ts'
import type { CommandContext } from '../terminal/context.ts'
import { withListOptions } from '../terminal/listing.ts'
import { withServiceOptions } from '../terminal/options.ts'
import type { RenameFlags } from './rename-contact.ts'

export const addQueries: AddCommand = (program, context, endWith) => {
  for (const definition of queries) {
    const command = addQuery(program, definition, context, endWith)
    if (definition.name === 'contacts') addRename(command, context, endWith)
  }
}

function addQuery(program: Command, definition: QueryDefinition, context: CommandContext, endWith: EndWith): Command {
  const command = program.command(definition.name).description(definition.what)
  if (definition.argument !== undefined) command.argument(definition.argument.name, definition.argument.what)
  for (const { flag, what } of definition.filters) command.option(flag, what)
  if (definition.canRebase) command.option('--rebased', 'figures in shares of the underlying equity, for people')
  if (definition.isList) {
    command.option('--limit <n>', 'at most so many records (default: 100 in a table, all as JSON)')
    command.option('--jsonl', 'one JSON object a line, as they come')
  }
  withListOptions(command).option('--aws', 'the service of the deployment, with the key in its secret that reads')
  return withServiceOptions(command)
    .addHelpText('before', `Example:\n  ${INVOCATION} ${definition.example}\n`)
    .action(async (...given: readonly unknown[]) => {
      const { runQuery } = await import('./query.ts')
      // Where there is no argument, commander gives the options first.
      const [argument] = given
      endWith(await runQuery(definition, typeof argument === 'string' ? argument : undefined, command.opts(), context))
    })
}

function addRename(contacts: Command, context: CommandContext, endWith: EndWith): void {
  // Options after `rename` then belong to it.
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
