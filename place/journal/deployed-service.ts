// Opens a client of the service of a deployment, with the read key in its secret on AWS. It loads the SDK.

import { randomUUID } from 'node:crypto'
import { KeyRole } from '../../core/contract/service-settings.ts'
import { roleKeyOf } from '../../core/contract/treasury.ts'
import { kmsSigner } from '../../core/keys/kms-signer.ts'
import { secretsManagerKeySource } from '../../core/keys/secrets-manager-key-source.ts'
import { createServiceClient, type ServiceClient } from '../../core/service/service-client.ts'
import type { OperationContext } from '../context.ts'
import type { ConfiguredJournal } from './journal-parts.ts'

export type ServiceWork<Result> = (client: ServiceClient, url: string) => Promise<Result>

export async function withDeployedService<Result>(
  { treasury: { service } }: ConfiguredJournal,
  { clock }: OperationContext,
  work: ServiceWork<Result>,
): Promise<Result> {
  const { secret, kmsKey } = roleKeyOf(service, KeyRole.Read)
  const key = secretsManagerKeySource({
    secretId: secret,
    stage: service.stage,
    role: KeyRole.Read,
    signWith: kmsKey === undefined ? undefined : (alg) => kmsSigner({ keyId: kmsKey, alg }),
    clock,
  })
  const client = createServiceClient({ baseUrl: service.url, key, clock, newId: randomUUID })
  try {
    return await work(client, service.url)
  } finally {
    client.close()
  }
}
