// The embedded Secrets Manager alone, over the state directory of an embedded AWS that does not run. It is for
// programs that look after secrets between runs. The caller sees to it that one process at a time uses a directory.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { identify } from './assembly/identity.ts'
import { systemClock } from './clock.ts'
import { DURABLE } from './disk.ts'
import { Callers } from './endpoint/callers.ts'
import { Gateway } from './endpoint/gateway.ts'
import { SecretStore } from './secrets/secret-store.ts'
import { secretsEndpoint } from './secrets/secrets-endpoint.ts'

export interface EmbeddedSecretsOptions {
  readonly stateDir: string
  /** Names of the secrets that exist; those without a stored value are empty. */
  readonly secrets: readonly string[]
}

export interface EmbeddedSecrets {
  /** For SDK clients; any credentials do. */
  readonly endpointUrl: string
  stop(): Promise<void>
}

/** Where an assembly without account and region runs; it shows in ARNs only. */
const PLACE = { partition: 'aws', account: '123456789012', region: 'us-east-1' }

export async function startEmbeddedSecrets({ stateDir, secrets }: EmbeddedSecretsOptions): Promise<EmbeddedSecrets> {
  DURABLE.makeFolder(stateDir)
  const endpoint = secretsEndpoint({
    secrets: secrets.map((name) => identify('AWS::SecretsManager::Secret', name, PLACE)),
    store: new SecretStore(secretsFile(stateDir)),
    clock: systemClock,
    newId: randomUUID,
  })
  const gateway = new Gateway({ callers: new Callers(), policies: new Map(), hook: undefined, newId: randomUUID })
  const endpointUrl = await gateway.listen(0)
  gateway.serve([endpoint])
  return { endpointUrl, stop: () => gateway.close() }
}

/** The only file under a state directory that holds secrets. */
export function secretsFile(stateDir: string): string {
  return path.join(stateDir, 'secrets.json')
}
