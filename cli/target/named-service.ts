// The service that a run is against, where one is named, with keys that are known to fit.
import type { Readable } from 'node:stream'
import type { KeyRole, Treasury } from '../../core/contract/treasury.ts'
import type { ServiceKey } from '../../core/keys/key-source.ts'
import { assertTestStage, readKeys } from './configuration.ts'
import type { Service } from './service/built-in-sandbox.ts'
import type { Settings } from './settings.ts'

export interface NamedService extends Service {
  readonly readingKey: ServiceKey
  /** Every key that the command may use there. */
  readonly ownKeys: readonly ServiceKey[]
}

/**
 * Undefined for the built-in sandbox. `roles`: whose keys will send.
 * @throws CommandError (exit 2) for keys, or a stage, that do not fit
 */
export async function readNamedService(
  { service }: Settings,
  treasury: Treasury,
  roles: readonly KeyRole[],
  stdin: Readable,
): Promise<NamedService | undefined> {
  if (service === undefined) {
    assertTestStage(treasury)
    return undefined
  }
  const { text, reading, all } = await readKeys(service.keysFile, treasury, roles, stdin)
  return { url: service.url, keys: text, readingKey: reading, ownKeys: all }
}
