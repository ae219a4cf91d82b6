// Makes a deployment for commands with --aws: the embedded AWS against an arranged service, found by the AWS SDK's own
// settings, as in a person's shell.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type EmbeddedAws, type EndpointHook, startEmbeddedAws } from '@sluice/embedded-aws'
import { afterAll, afterEach, beforeAll, beforeEach, inject, vi } from 'vitest'
import { parseTreasury } from '../../../core/treasury/config.ts'
import { embeddedKeys } from '../../../place/desk/embedded-keys.ts'
import { assemble } from '../../helpers/assemble.ts'
import { settingsOfAws, signWith } from '../../helpers/aws-settings.ts'
import { declared } from '../../helpers/declared-journal.ts'
import { type ArrangedService, startArrangedService } from './arranged-service.ts'

export interface DeployedAws {
  readonly service: ArrangedService
  readonly aws: EmbeddedAws
  /** From here on commands sign with an access key of this user's own. */
  readonly actAs: (name: string) => void
  /** From now on this function sees each call of an endpoint. Undefined for no function. */
  readonly watch: (hook: EndpointHook | undefined) => void
}

type Keys = ArrangedService['sandbox']['keys']

/**
 * For the tests of one file; its result is available once they have begun. `configuration` is the deployed treasury.json, or a
 * function of the service's address; by default that of the repo. `keysOf` gives the content of secrets and KMS, as a key file.
 */
export function deployedAws(
  name: string,
  configuration?: object | ((serviceUrl: string) => object),
  keysOf: (keys: Keys) => object = ({ full }) => full,
): () => DeployedAws {
  let service: ArrangedService | undefined
  let aws: EmbeddedAws | undefined
  let hook: EndpointHook | undefined
  const watch: DeployedAws['watch'] = (next) => {
    hook = next
  }
  const deployed = (): DeployedAws => {
    if (service === undefined || aws === undefined) throw new TypeError('nothing is deployed yet')
    const { addUser } = aws
    return { service, aws, watch, actAs: (name) => signWith(addUser(name)) }
  }
  beforeAll(async () => {
    service = await startArrangedService(name)
    const { baseUrl, keys } = service.sandbox
    const file = typeof configuration === 'function' ? configuration(baseUrl) : configuration
    const { service: settings, environment } = parseTreasury(
      JSON.stringify(file ?? { service: { url: baseUrl, stage: 'test' } }),
    )
    aws = await declared(
      startEmbeddedAws({
        assemblyDir: file === undefined ? inject('assemblyDir') : synthesized(service.dir, file),
        stateDir: path.join(service.dir, 'aws'),
        parameters: { ServiceUrl: baseUrl },
        onEndpointCall: (call) => hook?.(call),
        ...embeddedKeys(settings, JSON.stringify(keysOf(keys))),
      }),
      environment,
    )
  })
  afterAll(async () => {
    await aws?.stop()
    await service?.stop()
  })
  beforeEach(() => {
    const { credentials, endpointUrl, region } = deployed().aws
    settingsOfAws(endpointUrl, { region, credentials })
  })
  afterEach(() => vi.unstubAllEnvs())
  return deployed
}

/** Leaves the file beside the assembly, for commands with --config. */
function synthesized(folder: string, configuration: object): string {
  writeFileSync(path.join(folder, 'deployed.json'), JSON.stringify(configuration))
  const outDir = path.join(folder, 'cdk.out')
  assemble(configuration, outDir)
  return outDir
}
