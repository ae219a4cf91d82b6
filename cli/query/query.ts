// Runs one query: checks what it is asked for, asks the service, and shows the answer.
import { KeyRole } from '../../core/contract/treasury.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { readKeyOf, readTreasury } from '../target/configuration.ts'
import { treasuryFor } from '../target/deployed-configuration.ts'
import { journalFailure } from '../target/journal/journal-failure.ts'
import { withDeployedService } from '../target/journal/journal-service.ts'
import { withConnection, withHealth } from '../target/service/service-connection.ts'
import { serviceFailure } from '../target/service/service-failure.ts'
import { type ServiceTarget, withServiceTarget } from '../target/service/service-target.ts'
import { type Flags, resolveTarget } from '../target/settings.ts'
import { commandWith, INVOCATION } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { assertListFlags, type ListFlags } from '../terminal/listing.ts'
import type { Query } from './columns.ts'
import { type QueryFlags, readFilters, readLimit } from './filters.ts'
import { balances, deposits, history, ledger, withdrawals } from './money-queries.ts'
import { type Form, printListing, printSingle } from './print.ts'
import type { QueryDefinition, QueryName } from './queries.ts'
import { account, assets, contacts, markets } from './reference-queries.ts'
import { fills, orders, price } from './trading-queries.ts'

export const queryOf: Readonly<Record<QueryName, Query>> = {
  account,
  balances,
  assets,
  markets,
  price,
  orders,
  fills,
  withdrawals,
  deposits,
  contacts,
  ledger,
  history,
}

/** The most records that the service gives at once (description, "Limits"). */
const PAGE = 100

/** @throws CommandError when there is nothing to show. */
export async function runQuery(
  definition: QueryDefinition,
  argument: string | undefined,
  flags: QueryFlags,
  context: CommandContext,
): Promise<ExitCode> {
  const filters = readFilters(definition, argument, flags)
  const limit = readLimit(flags)
  const listFlags = listFlagsOf(flags)
  assertListFlags(listFlags, context.output)
  const form = formOf(flags, context)
  const isRebased = flags.rebased === true
  const work = async (client: ServiceClient, { name }: Pick<ServiceTarget, 'name'>) => {
    // One more than is shown is asked for, to know whether there are more.
    const pageLimit = Math.min(PAGE, (limit ?? PAGE) + 1)
    const view = await queryOf[definition.name]({ client, argument, filters, isRebased, pageLimit })
    if (view.kind === 'single') printSingle(view, form, context, listFlags)
    else await printListing(view, { form, limit, flags: listFlags }, context)
    context.output.note(`${unitsOf(definition, isRebased)}from ${name}`)
  }
  await withServiceClient(flags, context, work, definition.listedBy)
  context.output.next(
    definition.next.map((next) => (next.endsWith('--help') ? `${INVOCATION} ${next}` : commandWith(next, flags))),
  )
  return ExitCode.Done
}

function formOf({ csv, jsonl }: QueryFlags, { output }: CommandContext): Form {
  if (csv === true) return 'csv'
  if (jsonl === true) return 'jsonl'
  return output.json ? 'json' : 'table'
}

function listFlagsOf({ csv, wide, columns }: QueryFlags): ListFlags {
  return { csv: csv === true, wide: wide === true, ...(typeof columns === 'string' && { columns }) }
}

/**
 * A client with the key that reads; errors of the service end the command with exit 1. `listedBy`: the command that lists
 * what there is of the kind that is asked for.
 */
export async function withServiceClient<Result>(
  flags: Flags & { readonly aws?: true },
  context: CommandContext,
  work: (client: ServiceClient, target: Pick<ServiceTarget, 'name'>) => Promise<Result>,
  listedBy?: string,
): Promise<Result> {
  const notFound = listedBy && `${commandWith(listedBy, flags)}   # lists those that there are`
  const settings = resolveTarget(flags, context.variables)
  if (flags.aws === true) {
    const treasury = await treasuryFor({ flags, configFile: settings.configFile, output: context.output })
    return withDeployedService({ treasury }, context, (client) => work(client, { name: treasury.service.url })).catch(
      (error: unknown) => Promise.reject(serviceFailure(journalFailure(error), notFound)),
    )
  }
  const treasury = readTreasury(settings.configFile)
  return withServiceTarget(settings, context, async (target) => {
    const key = readKeyOf(target, treasury, KeyRole.Read)
    const connection = { baseUrl: target.url, key, clock: context.clock }
    try {
      return await withConnection(connection, (client) => work(client, target))
    } catch (error) {
      throw await withHealth(serviceFailure(error, notFound), connection)
    }
  })
}

function unitsOf({ canRebase }: QueryDefinition, isRebased: boolean): string {
  if (!canRebase) return ''
  return isRebased ? 'rebased figures are for people: what moves is settled; ' : 'settled units; '
}
