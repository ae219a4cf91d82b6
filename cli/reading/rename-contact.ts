// `sluice contacts rename`: the one write among the reading commands. Changes a label and moves
// nothing; where a contact leads to cannot be changed through the API.
import { usageError } from '../command-error.ts'
import { commandWith } from '../command-line.ts'
import { requireConsent } from '../consent.ts'
import type { CommandContext } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { printable } from '../table.ts'
import { isId } from './filters.ts'
import { printSingle } from './print.ts'
import { withServiceClient } from './read.ts'
import type { RenameFlags } from './reading-commands.ts'
import { contactColumns } from './reference-readings.ts'
import { single } from './view.ts'

const MOST_ALIAS_CHARS = 256

/** @throws CommandError; exit 2 when nobody consented. */
export async function renameContact(id: string, flags: RenameFlags, context: CommandContext): Promise<ExitCode> {
  const alias = readAlias(flags.alias)
  if (!isId(id)) {
    throw usageError('usage', '<id>: expected the id of a contact; got another', 'sluice contacts lists them')
  }
  const consent = { isGiven: flags.yes === true, isSilent: flags.input === false }
  await withServiceClient(flags, context, async (client, { name }) => {
    const contact = await client.contact(id)
    const question = `rename contact ${printable(id)} from "${printable(contact.alias)}" to "${alias}"?`
    if (contact.alias !== alias) await requireConsent({ ...consent, question }, context)
    const renamed = contact.alias === alias ? contact : await client.renameContact(id, { alias })
    printSingle(single(contactColumns, renamed), context.output.json ? 'json' : 'table', context)
    context.output.note(`${contact.alias === alias ? 'has that label already' : 'renamed'}, at ${name}`)
  })
  context.output.next([commandWith('contacts', flags)])
  return ExitCode.Done
}

function readAlias(alias: string | undefined): string {
  if (alias !== undefined && alias.trim() !== '' && alias.length <= MOST_ALIAS_CHARS && alias === printable(alias))
    return alias
  const got = alias === undefined ? 'nothing' : 'another'
  throw usageError(
    'usage',
    `--alias: expected a label of 1 to ${MOST_ALIAS_CHARS} printable characters; got ${got}`,
    "add --alias 'Cold storage', or the label that you want",
  )
}
