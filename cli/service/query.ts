// Runs one query: checks its arguments, asks the service, and prints the answer. Balances come with a note of what is
// on the way.

import type { ServiceClient } from '../../core/service/service-client.ts'
import { findOnTheWay } from '../../operations/cases/find-halts.ts'
import { chosenQuery, queryOf } from '../../operations/service/chosen-query.ts'
import { type QueryFlags, readFilters, readLimit } from '../../operations/service/filters.ts'
import type { QueryDefinition } from '../../operations/service/queries.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { withServiceClient } from '../../place/place-service.ts'
import type { ConnectedService } from '../../place/service/built-in-sandbox.ts'
import { onTheWayText } from '../../views/movements/request-columns.ts'
import { printable } from '../../views/text/shown.ts'
import { commandWith, INVOCATION } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags } from '../terminal/listing.ts'
import { HINTS } from './hints.ts'
import { type Form, printListing, printSingle } from './print.ts'

/** Maximum records that the service gives at once (description, "Limits"). */
const PAGE = 100

/** @throws OperationError when there is nothing to show. */
export async function runQuery(
  command: QueryDefinition,
  given: string | undefined,
  flags: QueryFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const { query: definition, argument } = chosenQuery(command, given, flags)
  const filters = readFilters(definition, argument, flags)
  const limit = readLimit(flags)
  const listFlags = listFlagsOf(flags)
  assertListFlags(listFlags, context.output)
  const form = formOf(flags, context)
  const isRebased = flags.rebased === true
  const work = async (client: ServiceClient, { name }: Pick<ConnectedService, 'name'>) => {
    // One more record than is shown tells whether there are more.
    const pageLimit = Math.min(PAGE, (limit ?? PAGE) + 1)
    const view = await queryOf[definition.name]({ client, argument, filters, isRebased, pageLimit })
    if (view.kind === 'single') printSingle(view, form, context, listFlags)
    else await printListing(view, { form, limit, flags: listFlags }, context)
    context.output.note(`${unitsOf(definition, isRebased)}from ${name}`)
  }
  const asked = withServiceClient(flags, context, work, definition.listedBy)
  // Also where the service gives no balances: the journal knows what was sent.
  await (definition.name === 'balances' ? asked.finally(() => noteOnTheWay(flags, context)) : asked)
  context.output.next(
    HINTS[definition.name].next.map((next) =>
      next.endsWith('--help') ? `${INVOCATION} ${next}` : commandWith(next, flags),
    ),
  )
  return ExitCode.Done
}

async function noteOnTheWay(flags: QueryFlags, context: CommandContext): Promise<void> {
  const sent = await findOnTheWay(flags, context)
  for (const each of 'why' in sent ? [] : sent.found) context.output.note(printable(onTheWayText(each)))
}

function formOf({ csv, jsonl }: QueryFlags, { output }: CommandContext): Form {
  if (csv === true) return 'csv'
  if (jsonl === true) return 'jsonl'
  return output.json ? 'json' : 'table'
}

function listFlagsOf({ csv, wide, columns }: QueryFlags): ListFlags {
  return { csv: csv === true, wide: wide === true, ...(typeof columns === 'string' && { columns }) }
}

function unitsOf({ canRebase }: QueryDefinition, isRebased: boolean): string {
  if (!canRebase) return ''
  return isRebased ? 'rebased figures are for people: what moves is settled; ' : 'settled units; '
}
