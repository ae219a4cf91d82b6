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
import { type AddCommand, command, noun } from '../terminal/commander.ts'
import { LIST, type OptionRow, SERVICE } from '../terminal/options.ts'
import { HINTS } from './hints.ts'
import type { RenameFlags } from './rename-contact.ts'

const REBASED: OptionRow = ['--rebased', 'figures in shares of the underlying equity, for people']

const LONG: readonly OptionRow[] = [
  ['--limit <n>', 'maximum records (default: 100 in a table, all as JSON)'],
  ['--jsonl', 'one JSON object a line, as they arrive'],
]

function addQuery(definition: QueryDefinition): AddCommand {
  const { name, what, argument, filters, form, canRebase, isList } = definition
  const examples = [name, ...(form === undefined ? [] : [form.query.name])].map((query) => HINTS[query].example)
  return (service, context, endWith) => {
    const added: Command = command({
      name,
      what,
      operands: argument === undefined ? [] : [[argument.name, argument.what]],
      options: [
        ...filters.map((filter) => [`--${filter.flag}`, filter.what] as const),
        ...(form === undefined ? [] : formOptions(form, filters)),
        ...(canRebase || form?.query.canRebase === true ? [REBASED] : []),
        ...(isList ? LONG : []),
        ...LIST,
        ['--aws', 'the service of the deployment, with the read key in its secret'],
        ...SERVICE,
      ],
      example: examples.join(`\n  ${INVOCATION} `),
      load: async () => {
        const { runQuery } = await import('./query.ts')
        // Without an argument, commander gives the options first.
        return (first: unknown) =>
          runQuery(definition, typeof first === 'string' ? first : undefined, added.opts(), context)
      },
    })(service, context, endWith)
    if (name === 'contacts') addRename(added, context, endWith)
    return added
  }
}

/** The flag that makes another query, and the filters that only that query has. */
function formOptions({ flag, what, query }: QueryForm, known: readonly FilterDefinition[]): readonly OptionRow[] {
  const [name = flag] = flag.split(' ')
  const all = new Set([flag, ...known.map((filter) => filter.flag)])
  const own = query.filters.filter((filter) => !all.has(filter.flag))
  return [[`--${flag}`, what], ...own.map((filter) => [`--${filter.flag}`, `with --${name}: ${filter.what}`] as const)]
}

const addRename: AddCommand = (contacts, context, endWith) => {
  const added: Command = command({
    name: 'rename',
    what: "change a contact's label; its destination stays the same",
    operands: [['<id>', 'the contact']],
    options: [
      ['--alias <text>', 'the new label'],
      ['--yes', 'do not ask'],
      ['--no-input', 'never ask: without --yes nothing is changed'],
      ...SERVICE,
    ],
    example: "service contacts rename ID --alias 'Cold storage'",
    load: async () => {
      const { renameContact } = await import('./rename-contact.ts')
      return (id: string) => renameContact(id, added.optsWithGlobals<RenameFlags>(), context)
    },
    // With positional options, the options after `rename` belong to `rename`.
  })(contacts.enablePositionalOptions(), context, endWith).configureHelp({ showGlobalOptions: false })
  return added
}

export const addService = noun(
  { name: 'service', what: 'what the service shows: balances, orders, and more', example: 'service balances' },
  queries.map(addQuery),
)
