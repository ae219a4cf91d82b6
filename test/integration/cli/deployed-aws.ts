// A deployed set-up for commands with --aws: the embedded AWS against an arranged service, found by the AWS SDK's
// own settings, as a person's shell has them.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, inject, vi } from 'vitest'
import { deployedName } from '../../../core/contract/deployed-names.ts'
import { type EmbeddedAws, startEmbeddedAws } from '../../../embedded-aws/embedded-aws.ts'
import { synthesize } from '../../../infra/synthesize.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

export interface DeployedAws {
  readonly service: ArrangedService
  readonly aws: EmbeddedAws
}

/**
 * For the tests of one file; what it gives is there once they have begun. `configuration`: the deployed treasury.json; absent:
 * the one of the repo.
 */
export function deployedAws(name: string, configuration?: { readonly environment?: string }): () => DeployedAws {
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
      assemblyDir: configuration === undefined ? inject('assemblyDir') : synthesized(service.dir, configuration),
      stateDir: path.join(service.dir, 'aws'),
      parameters: { ServiceUrl: baseUrl },
      secrets: { [deployedName('sluice/service-key', configuration?.environment)]: JSON.stringify(keys.full) },
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

function synthesized(folder: string, configuration: object): string {
  const configFile = path.join(folder, 'deployed.json')
  writeFileSync(configFile, JSON.stringify(configuration))
  const outDir = path.join(folder, 'cdk.out')
  vi.stubEnv('CDK_VALIDATION', 'false')
  synthesize({ configFile, outDir })
  vi.unstubAllEnvs()
  return outDir
}
