// Connects to the service whose movements a journal records, with the key that reads. For a state directory it is the
// built-in sandbox or the named service; on AWS it is that of treasury.json with its secret.

import { KeyRole } from '../../core/contract/service-settings.ts'
import { askAccounts, assertKeysFit, pinMissing } from '../account/keys-account.ts'
import { readKeyOf } from '../configuration.ts'
import type { OperationContext } from '../context.ts'
import { readText } from '../files/text-file.ts'
import { usageError } from '../operation-error.ts'
import { type Service, withBuiltInSandbox } from '../service/connected-service.ts'
import { withConnection } from '../service/service-connection.ts'
import { Variable } from '../settings.ts'
import { findAccountPin } from '../state/account-pin.ts'
import type { ConnectionFlags } from '../words/command-line.ts'
import type { ServiceWork } from './deployed-service.ts'
import type { ConfiguredJournal, PlacedJournal, StateDirectory } from './journal-parts.ts'

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
    const { withDeployedService } = await import('./deployed-service.ts')
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
    throw usageError('usage', '--keys: expected the key file of that service; got nothing', 'add --keys FILE')
  const keys = await readText(keysFile, 'keys', stdin)
  const key = readKeyOf({ url, keys, name: url, isBuiltIn: false }, treasury, KeyRole.Read)
  // The journal of one account says nothing about the movements of another.
  const pin = findAccountPin(stateDir)
  if (pin === undefined) throw pinMissing(stateDir)
  assertKeysFit(pin, { answers: await askAccounts(url, [key], clock), url }, stateDir)
  return withConnection({ baseUrl: url, key, clock }, (client) => work(client, url))
}
