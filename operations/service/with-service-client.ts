// Opens a client of the service whose account is shown, with the key that reads.

import { KeyRole } from '../../core/contract/service-settings.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { treasuryFor } from '../../place/aws/deployed-configuration.ts'
import { readKeyOf, readTreasury } from '../../place/configuration.ts'
import type { OperationContext } from '../../place/context.ts'
import { journalFailure } from '../../place/journal/journal-failure.ts'
import { type ConnectedService, withConnectedService } from '../../place/service/connected-service.ts'
import { withConnection, withHealth } from '../../place/service/service-connection.ts'
import { serviceFailure } from '../../place/service/service-failure.ts'
import { type Flags, isOnAws, resolveConnection } from '../../place/settings.ts'
import { commandWith } from '../../place/words/command-line.ts'

/** Errors of the service end the command with exit 1. `listedBy`: the query that lists the valid ids, for the hint. */
export async function withServiceClient<Result>(
  flags: Flags & { readonly aws?: true },
  context: OperationContext,
  work: (client: ServiceClient, asked: Pick<ConnectedService, 'name'>) => Promise<Result>,
  listedBy?: string,
): Promise<Result> {
  const notFound = listedBy && `${commandWith(`service ${listedBy}`, flags)}   # lists the known ones`
  const settings = resolveConnection(flags, context.variables)
  if (isOnAws(flags)) {
    const treasury = await treasuryFor({ flags, configFile: settings.configFile, output: context.output })
    const { withDeployedService } = await import('../../place/journal/deployed-service.ts')
    return withDeployedService({ treasury }, context, (client) => work(client, { name: treasury.service.url })).catch(
      (error: unknown) => Promise.reject(serviceFailure(journalFailure(error), notFound)),
    )
  }
  const treasury = readTreasury(settings.configFile)
  return withConnectedService(settings, context, async (asked) => {
    const key = readKeyOf(asked, treasury, KeyRole.Read)
    const connection = { baseUrl: asked.url, key, clock: context.clock }
    try {
      return await withConnection(connection, (client) => work(client, asked))
    } catch (error) {
      throw await withHealth(serviceFailure(error, notFound), connection)
    }
  })
}
