// A deployed set-up for commands with --aws: the embedded AWS against an arranged service, found by the AWS SDK's
// own settings, as a person's shell has them.
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, inject, vi } from 'vitest'
import { type EmbeddedAws, startEmbeddedAws } from '../../../embedded-aws/embedded-aws.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

export interface DeployedAws {
  readonly service: ArrangedService
  readonly aws: EmbeddedAws
}

/** For the tests of one file; what it gives is there once they have begun. */
export function deployedAws(name: string): () => DeployedAws {
  let service: ArrangedService | undefined
  let aws: EmbeddedAws | undefined
  const deployed = (): DeployedAws => {
    if (service === undefined || aws === undefined) throw new TypeError('nothing is deployed yet')
    return { service, aws }
  }
  beforeAll(async () => {
    service = await startArrangedService(name)
    const { baseUrl, keys } = service.sandbox
    aws = await startEmbeddedAws({
      assemblyDir: inject('assemblyDir'),
      stateDir: path.join(service.dir, 'aws'),
      parameters: { ServiceUrl: baseUrl },
      secrets: { 'sluice/service-key': JSON.stringify(keys.full) },
    })
  })
  afterAll(async () => {
    await aws?.stop()
    await service?.stop()
  })
  beforeEach(() => {
    const { credentials, endpointUrl, region } = deployed().aws
    vi.stubEnv('AWS_ENDPOINT_URL', endpointUrl)
    vi.stubEnv('AWS_REGION', region)
    vi.stubEnv('AWS_ACCESS_KEY_ID', credentials.accessKeyId)
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', credentials.secretAccessKey)
  })
  afterEach(() => vi.unstubAllEnvs())
  return deployed
}
