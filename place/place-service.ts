// Connects to the service of a place, with the key that reads. At a desk that is the built-in sandbox or the named
// service. On AWS it is the service of treasury.json, with its secret.

import { KeyRole } from '../core/contract/service-settings.ts'
import type { ServiceClient } from '../core/service/service-client.ts'
import { askAccounts, assertKeysFit, pinMissing } from './account/keys-account.ts'
import { readKeyOf } from './configuration.ts'
import type { OperationContext } from './context.ts'
import { joinDesk } from './desk/join-desk.ts'
import { readText } from './files/text-file.ts'
import type { ServiceWork } from './journal/deployed-service.ts'
import { journalFailure } from './journal/journal-failure.ts'
import type { ConfiguredJournal, PlacedJournal, StateDirectory } from './journal/journal-parts.ts'
import { advice, type ConnectionFlags, option } from './next-step.ts'
import { unfit } from './operation-error.ts'
import { findPlace } from './place.ts'
import { type ConnectedService, type Service, withBuiltInSandbox } from './service/built-in-sandbox.ts'
import { withConnection, withHealth } from './service/service-connection.ts'
import { serviceFailure } from './service/service-failure.ts'
import { type Settings, Variable } from './settings.ts'
import { findAccountPin } from './state/account-pin.ts'
import { builtInFolder } from './state/state-layout.ts'

type Context = Pick<OperationContext, 'clock' | 'output' | 'stdin'>

/**
 * Keeps the state directory locked during work with the built-in sandbox. Two processes must not write its file.
 * @throws OperationError: exit 2 for a key file that cannot be read, exit 1 for a directory in use
 */
export async function withConnectedService<Result>(
  { service, stateDir }: Settings,
  { clock, output, stdin }: Context,
  work: (asked: ConnectedService) => Promise<Result>,
): Promise<Result> {
  if (service !== undefined) {
    const keys = await readText(service.keysFile, 'keys', stdin)
    return work({ url: service.url, keys, name: service.url, isBuiltIn: false })
  }
  const onWait = (pid: number) => output.note(`waiting: ${stateDir} is in use by process ${pid}`)
  const name = `the built-in sandbox in ${stateDir}`
  return joinDesk(
    {
      stateDir,
      clock,
      onWait,
      onRepaired: output.note,
      onOtherRelease: output.note,
      need: { service: undefined, sandbox: true },
    },
    {
      asClient: ({ sandbox }) => {
        if (sandbox === undefined) throw new TypeError('a desk without a sandbox does not fit')
        return work({ url: sandbox.url, keys: sandbox.keys, name, isBuiltIn: true })
      },
      asHolder: () =>
        withBuiltInSandbox(builtInFolder(stateDir).sandboxFile, (service) =>
          work({ ...service, name, isBuiltIn: true }),
        ),
    },
  )
}

/** Errors of the service end the command with exit 1. `listedBy`: the query that lists the valid ids, for the hint. */
export async function withServiceClient<Result>(
  flags: ConnectionFlags,
  context: OperationContext,
  work: (client: ServiceClient, asked: Pick<ConnectedService, 'name'>) => Promise<Result>,
  listedBy?: string,
): Promise<Result> {
  const notFound =
    listedBy === undefined ? undefined : ({ do: 'query', query: listedBy, why: 'lists the known ones' } as const)
  const place = findPlace(flags, context)
  const treasury = await place.treasury()
  if (place.isAws) {
    const { withDeployedService } = await import('./journal/deployed-service.ts')
    return withDeployedService({ treasury }, context, (client) => work(client, { name: treasury.service.url })).catch(
      (error: unknown) => Promise.reject(serviceFailure(journalFailure(error), notFound)),
    )
  }
  return withConnectedService(place.settings, context, async (asked) => {
    const key = readKeyOf(asked, treasury, KeyRole.Read)
    const connection = { baseUrl: asked.url, key, clock: context.clock }
    try {
      return await withConnection(connection, (client) => work(client, asked))
    } catch (error) {
      throw await withHealth(serviceFailure(error, notFound), connection)
    }
  })
}

/** @throws OperationError (exit 2) for keys that do not fit; else what `work` throws */
export async function withJournalService<Result>(
  connection: PlacedJournal,
  flags: ConnectionFlags,
  context: OperationContext,
  work: ServiceWork<Result>,
): Promise<Result> {
  const { embedded } = connection
  if (embedded === undefined) {
    // It loads the SDK, which a command at a desk does not need.
    const { withDeployedService } = await import('./journal/deployed-service.ts')
    return withDeployedService(connection, context, work)
  }
  if (embedded.serviceUrl === undefined) return withBuiltIn(connection, embedded, context, work)
  const { stateDir, serviceUrl: url } = embedded
  const keysFile = flags.keys ?? context.variables[Variable.keys]
  return withNamed(connection, { stateDir, url, keysFile }, context, work)
}

async function withBuiltIn<Result>(
  { treasury }: ConfiguredJournal,
  { folder, sandbox }: StateDirectory,
  { clock }: OperationContext,
  work: ServiceWork<Result>,
): Promise<Result> {
  const ask = ({ url, keys }: Service) => {
    const key = readKeyOf({ url, keys, name: 'the built-in sandbox', isBuiltIn: true }, treasury, KeyRole.Read)
    return withConnection({ baseUrl: url, key, clock }, (client) => work(client, url))
  }
  return sandbox === undefined ? withBuiltInSandbox(folder.sandboxFile, ask) : ask(sandbox)
}

/** The records of a named service, with the key file for it. */
interface NamedRecords {
  readonly stateDir: string
  readonly url: string
  readonly keysFile: string | undefined
}

async function withNamed<Result>(
  { treasury }: ConfiguredJournal,
  { stateDir, url, keysFile }: NamedRecords,
  { clock, stdin }: OperationContext,
  work: ServiceWork<Result>,
): Promise<Result> {
  if (!keysFile)
    throw unfit('keys', 'expected the key file of that service; got nothing', advice`add ${option('keys')} FILE`)
  const keys = await readText(keysFile, 'keys', stdin)
  const key = readKeyOf({ url, keys, name: url, isBuiltIn: false }, treasury, KeyRole.Read)
  // The journal of one account says nothing about the movements of another.
  const pin = findAccountPin(stateDir)
  if (pin === undefined) throw pinMissing(stateDir)
  assertKeysFit(pin, { answers: await askAccounts(url, [key], clock), url }, stateDir)
  return withConnection({ baseUrl: url, key, clock }, (client) => work(client, url))
}
