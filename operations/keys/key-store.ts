// Opens the store of the keys that a command manages: Secrets Manager on AWS, with the SDK's default configuration, or
// the secrets of a state directory. The same client works for both.

import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { type EndpointAccess, startEmbeddedSecrets } from '@sluice/embedded-aws'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import { keySecretsOf, type ServiceSettings } from '../../core/contract/treasury.ts'
import { AWS_LIMITS, requestLimits } from '../../core/keys/aws-limits.ts'
import { secretsManagerClient } from '../../core/keys/secrets-manager-key-source.ts'
import { clientConfigOf } from '../../place/aws/aws-address.ts'
import { readTreasury } from '../../place/configuration.ts'
import type { OperationContext } from '../../place/context.ts'
import { joinDesk } from '../../place/desk/join-desk.ts'
import { advice, option } from '../../place/next-step.ts'
import { unfit, usageError } from '../../place/operation-error.ts'
import { parseServiceAddress } from '../../place/service/service-address.ts'
import { configFileOf, stateDirOf, Variable } from '../../place/settings.ts'
import { findFolder } from '../../place/state/state-layout.ts'
import { KeySecret, type MadeSecret } from './key-secret.ts'

/** Flags of every `sluice keys` command except adopt, as commander gives them. */
export interface KeysFlags {
  readonly role: KeyRole
  readonly config?: string
  readonly embedded?: true
  readonly state?: string
  readonly service?: string
}

export interface KeyStore {
  readonly service: ServiceSettings
  /** Address of the service for these keys, without `/v2`. */
  readonly serviceUrl: string
  /** True for the secrets of a state directory, which has no KMS for them. */
  readonly isEmbedded: boolean
  secret(name: string): KeySecret
}

/** @throws OperationError (exit 2) for flags or a configuration that do not fit. */
export async function withKeyStore<Result>(
  flags: KeysFlags,
  context: OperationContext,
  work: (keyStore: KeyStore) => Promise<Result>,
): Promise<Result> {
  const { variables } = context
  const stateDir = stateDirOf(flags, variables)
  const configFile = configFileOf(flags, variables)
  const { encryption, service } = readTreasury(configFile)
  if (flags.embedded !== true) {
    refuseEmbeddedFlags(flags)
    const made = { kmsKeyArn: encryption?.secrets }
    return withClient(secretsManagerClient(), { service, serviceUrl: service.url, isEmbedded: false }, work, made)
  }
  const serviceUrl = embeddedService(flags, variables)
  return withEmbeddedClient({ stateDir, serviceUrl, service }, context, (client) =>
    withClient(client, { service, serviceUrl, isEmbedded: true }, work),
  )
}

/** On AWS the address is the deployed one. A secret must not be tried at another address. */
function refuseEmbeddedFlags({ state, service }: KeysFlags): void {
  const stray = state !== undefined ? option('state') : service !== undefined ? option('service') : undefined
  if (stray === undefined) return
  throw usageError(
    'usage',
    advice`${stray}: belongs to ${option('embedded')}; on AWS the service is that of treasury.json`,
    advice`add ${option('embedded')}, or leave ${stray} out`,
  )
}

function embeddedService(flags: KeysFlags, variables: OperationContext['variables']): string {
  const given = flags.service ?? (variables[Variable.service] || undefined)
  if (given !== undefined)
    return parseServiceAddress(given, flags.service === undefined ? Variable.service : option('service'))
  throw unfit(
    'service',
    'expected the address of the service whose runs the state directory keeps; got nothing',
    advice`add ${option('service')} URL: a sandbox of your own is started by npm run sandbox`,
  )
}

async function withClient<Result>(
  client: SecretsManagerClient,
  keyStore: Omit<KeyStore, 'secret'>,
  work: (keyStore: KeyStore) => Promise<Result>,
  made: MadeSecret = {},
): Promise<Result> {
  try {
    return await work({ ...keyStore, secret: (name) => new KeySecret(client, name, made) })
  } finally {
    client.destroy()
  }
}

/** The secrets of a state directory, for the runs against one service. */
interface EmbeddedSecrets {
  readonly stateDir: string
  /** Undefined for the built-in sandbox. */
  readonly serviceUrl: string | undefined
  readonly service: ServiceSettings
}

export async function withEmbeddedClient<Result>(
  { stateDir, serviceUrl, service }: EmbeddedSecrets,
  { clock, output }: OperationContext,
  work: (client: SecretsManagerClient) => Promise<Result>,
): Promise<Result> {
  const folder = findFolder(stateDir, serviceUrl)
  if (folder === undefined) {
    throw unfit(
      'state',
      `there are no runs of this service in ${stateDir}, so it keeps no secrets yet`,
      'name the state directory and the address of the runs, or start with sluice run',
    )
  }
  const onWait = (pid: number) => output.note(`${stateDir} is in use by process ${pid}`)
  return joinDesk(
    {
      stateDir,
      clock,
      onWait,
      onRepaired: output.note,
      onOtherRelease: output.note,
      need: { service: serviceUrl, secrets: true },
    },
    {
      asClient: (desk) => workAt(desk, work),
      async asHolder() {
        const secrets = await startEmbeddedSecrets({ stateDir: folder.awsDir, secrets: keySecretsOf(service) })
        return workAt(secrets, work).finally(() => secrets.stop())
      },
    },
  )
}

async function workAt<Result>(
  address: EndpointAccess,
  work: (client: SecretsManagerClient) => Promise<Result>,
): Promise<Result> {
  const client = new SecretsManagerClient({ ...clientConfigOf(address), ...requestLimits(AWS_LIMITS) })
  try {
    return await work(client)
  } finally {
    client.destroy()
  }
}
