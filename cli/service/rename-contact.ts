// `sluice service contacts rename`: changes the label of a contact. It is the only query that writes, and moves
// nothing. The API cannot change the destination of a contact.

import type { Contact } from '../../core/service/contacts.ts'
import { problemOf } from '../../core/service/problem.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { single } from '../../operations/service/columns.ts'
import { contactColumns } from '../../operations/service/reference-queries.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { failedWith, type OperationError, unfit, usageError } from '../../place/operation-error.ts'
import { withServiceClient } from '../../place/place-service.ts'
import type { ConnectedService } from '../../place/service/built-in-sandbox.ts'
import { isId } from '../../place/service/service-id.ts'
import type { Flags } from '../../place/settings.ts'
import { printable } from '../../views/text/shown.ts'
import { type ConsentFlags, requireConsent } from '../terminal/consent.ts'
import type { CommandContext } from '../terminal/context.ts'
import { printSingle } from './print.ts'

export interface RenameFlags extends Flags, ConsentFlags {
  readonly alias?: string
}

/** Assumed: the description gives no limit (docs/assumptions.md). */
const MOST_ALIAS_CHARS = 256

/** @throws OperationError; exit 2 without consent. */
export async function renameContact(id: string, flags: RenameFlags, context: CommandContext): Promise<ExitCode> {
  const alias = readAlias(flags.alias)
  if (!isId(id)) {
    const lists = { do: 'query', query: 'contacts', why: 'lists them' } as const
    throw usageError('usage', '<id>: expected the id of a contact; got something else', lists)
  }
  const work = async (client: ServiceClient, { name }: Pick<ConnectedService, 'name'>) => {
    const contact = await client.contact(id)
    // The description does not say which of the two labels the service changes.
    for (const label of ['alias', 'reference'] as const) {
      const from = contact[label]
      const question = `change the ${label} of contact ${printable(id)} from "${printable(from ?? '')}" to "${alias}"?`
      if (from !== alias) await requireConsent(question, flags, context)
      const renamed = from === alias ? contact : await findRenamed(client, contact, label, alias)
      if (renamed === undefined) continue
      printSingle(single(contactColumns, renamed), context.output.json ? 'json' : 'table', context)
      context.output.note(`${from === alias ? 'has that label already' : `its ${label} is changed`}, at ${name}`)
      return
    }
    throw takesNeither(id)
  }
  await withServiceClient(flags, context, work, 'contacts')
  context.output.next([{ do: 'query', query: 'contacts' }])
  return ExitCode.Done
}

/** The contact with its new label. Undefined where the service refuses the label or leaves it unchanged. */
async function findRenamed(
  client: Pick<ServiceClient, 'renameContact'>,
  { id, ...contact }: Contact,
  label: 'alias' | 'reference',
  to: string,
): Promise<Contact | undefined> {
  try {
    const renamed = await client.renameContact(id, { [label]: to })
    return renamed[label] === contact[label] ? undefined : renamed
  } catch (error) {
    // The code means an unknown field, or a refused text. Then the other label would refuse the text too.
    if (problemOf(error)?.code === 'validation_error') return undefined
    throw error
  }
}

function takesNeither(id: string): OperationError {
  return failedWith(
    'refused',
    `the service takes that text neither as the alias nor as the reference of contact ${printable(id)}`,
    "try a shorter one, or change it in the service's dashboard",
  )
}

function readAlias(alias: string | undefined): string {
  if (alias !== undefined && alias.trim() !== '' && alias.length <= MOST_ALIAS_CHARS && alias === printable(alias))
    return alias
  const got = alias === undefined ? 'nothing' : 'another'
  throw unfit(
    'alias',
    `expected a label of 1 to ${MOST_ALIAS_CHARS} printable characters; got ${got}`,
    "add --alias 'Cold storage', or the label that you want",
  )
}
