// Defines the commands that show the account, such as `sluice service balances`, from the list of queries. A command's code
// is loaded when the command runs.

import type { Command } from 'commander'
import {
  type FilterDefinition,
  type QueryDefinition,
  type QueryForm,
  queries,
} from '../../operations/service/queries.ts'
import { INVOCATION } from '../terminal/command-line.ts'
import { type AddCommand, addNoun, type EndWith, withServiceOptions } from '../terminal/commander.ts'
import type { CommandContext } from '../terminal/context.ts'
import { withListOptions } from '../terminal/listing.ts'
import { HINTS } from './hints.ts'
import type { RenameFlags } from './rename-contact.ts'

export const addService: AddCommand = (program, context, endWith) => {
  const service = addNoun(program, {
    name: 'service',
    description: 'what the service shows: balances, orders, and more',
    example: 'service balances',
  })
  for (const definition of queries) {
    const command = addQuery(service, definition, context, endWith)
    if (definition.name === 'contacts') addRename(command, context, endWith)
  }
}

function addQuery(service: Command, definition: QueryDefinition, context: CommandContext, endWith: EndWith): Command {
  const { form } = definition
  const command = service.command(definition.name).description(definition.what)
  if (definition.argument !== undefined) command.argument(definition.argument.name, definition.argument.what)
  for (const { flag, what } of definition.filters) command.option(`--${flag}`, what)
  if (form !== undefined) addForm(command, form, definition.filters)
  if (definition.canRebase || form?.query.canRebase === true)
    command.option('--rebased', 'figures in shares of the underlying equity, for people')
  if (definition.isList) {
    command.option('--limit <n>', 'maximum records (default: 100 in a table, all as JSON)')
    command.option('--jsonl', 'one JSON object a line, as they arrive')
  }
  const examples = [definition.name, ...(form === undefined ? [] : [form.query.name])].map(
    (name) => HINTS[name].example,
  )
  withListOptions(command).option('--aws', 'the service of the deployment, with the read key in its secret')
  return withServiceOptions(command)
    .addHelpText('before', `Example:\n${examples.map((example) => `  ${INVOCATION} ${example}\n`).join('')}`)
    .action(async (...given: readonly unknown[]) => {
      const { runQuery } = await import('./query.ts')
      // Without an argument, commander gives the options first.
      const [argument] = given
      endWith(await runQuery(definition, typeof argument === 'string' ? argument : undefined, command.opts(), context))
    })
}

/** Adds the flag that makes another query, and the filters that only that query has. */
function addForm(command: Command, { flag, what, query }: QueryForm, known: readonly FilterDefinition[]): void {
  command.option(`--${flag}`, what)
  const [name = flag] = flag.split(' ')
  for (const filter of query.filters) {
    const isKnown = filter.flag === flag || known.some(({ flag: knownFlag }) => knownFlag === filter.flag)
    if (!isKnown) command.option(`--${filter.flag}`, `with --${name}: ${filter.what}`)
  }
}

function addRename(contacts: Command, context: CommandContext, endWith: EndWith): void {
  // With positional options, the options after `rename` belong to `rename`.
  const command = contacts.enablePositionalOptions().command('rename').configureHelp({ showGlobalOptions: false })
  withServiceOptions(
    command
      .description("change a contact's label; its destination stays the same")
      .argument('<id>', 'the contact')
      .option('--alias <text>', 'the new label')
      .option('--yes', 'do not ask')
      .option('--no-input', 'never ask: without --yes nothing is changed'),
  )
    .addHelpText('before', `Example:\n  ${INVOCATION} service contacts rename ID --alias 'Cold storage'\n`)
    .action(async (id: string) => {
      const { renameContact } = await import('./rename-contact.ts')
      endWith(await renameContact(id, command.optsWithGlobals<RenameFlags>(), context))
    })
}
