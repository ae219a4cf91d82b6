// Serves the embedded Secrets Manager alone, in the state directory of an embedded AWS that is not running. For
// programs that manage secrets between runs. The caller ensures that only one process uses a directory.
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { identify } from './assembly/identity.ts'
import { systemClock } from './clock.ts'
import { DURABLE } from './disk.ts'
import type { EndpointAccess } from './endpoint/credentials.ts'
import { administratorsGateway } from './endpoint/gateway.ts'
import { SecretPolicies } from './secrets/secret-policies.ts'
import { SecretStore } from './secrets/secret-store.ts'
import { secretsEndpoint } from './secrets/secrets-endpoint.ts'

export interface EmbeddedSecretsOptions {
  readonly stateDir: string
  /** Names of the existing secrets. Secrets without a stored value are empty. */
  readonly secrets: readonly string[]
}

/** Its access is the administrator's. */
export interface EmbeddedSecrets extends EndpointAccess {
  stop(): Promise<void>
}

/** The place of an assembly without account and region. */
const PLACE = { partition: 'aws', account: '123456789012', region: 'us-east-1' }

export async function startEmbeddedSecrets({ stateDir, secrets }: EmbeddedSecretsOptions): Promise<EmbeddedSecrets> {
  DURABLE.makeFolder(stateDir)
  const endpoint = secretsEndpoint({
    declared: secrets,
    arnOf: (name) => identify('AWS::SecretsManager::Secret', name, PLACE).arn,
    store: new SecretStore(secretsFile(stateDir)),
    // Only the administrator calls, so no policies are needed.
    policies: new SecretPolicies(),
    clock: systemClock,
    newId: randomUUID,
  })
  const gateway = administratorsGateway(PLACE.region)
  const access = await gateway.listen(0)
  gateway.serve([endpoint])
  return { ...access, stop: () => gateway.close() }
}

/** The file under a state directory that holds secrets. Signing keys are in a file of their own (kms/kms-key.ts). */
export function secretsFile(stateDir: string): string {
  return path.join(stateDir, 'secrets.json')
}
