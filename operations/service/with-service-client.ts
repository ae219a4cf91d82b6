// A client of the service whose account is shown, with the key that reads.
import { KeyRole } from '../../core/contract/treasury.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { readKeyOf, readTreasury } from '../../cli/target/configuration.ts'
import { treasuryFor } from '../../cli/target/deployed-configuration.ts'
import { journalFailure } from '../../cli/target/journal/journal-failure.ts'
import { withDeployedService } from '../../cli/target/journal/journal-service.ts'
import { withConnection, withHealth } from '../../cli/target/service/service-connection.ts'
import { serviceFailure } from '../../cli/target/service/service-failure.ts'
import { type ServiceTarget, withServiceTarget } from '../../cli/target/service/service-target.ts'
import { type Flags, resolveTarget } from '../../cli/target/settings.ts'
import { commandWith } from '../../cli/terminal/command-line.ts'
import type { CommandContext } from '../../cli/terminal/context.ts'

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
