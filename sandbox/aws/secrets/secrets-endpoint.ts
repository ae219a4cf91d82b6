// The Secrets Manager API on the wire (AWS JSON 1.1): reading, describing, putting and relabelling
// versions of the secrets that the assembly declares.
// Source: AWS Secrets Manager API Reference.
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { findText, type RequestBody, textOf } from '../endpoint/request-body.ts'
import { CURRENT, type SecretStore, type SecretVersion } from './secret-store.ts'

export interface DeclaredSecret {
  readonly name: string
  readonly arn: string
}

/** AWS: the encrypted secret value has at most 65,536 bytes. */
const VALUE_LIMIT_BYTES = 65_536

export interface SecretsOptions {
  readonly secrets: readonly DeclaredSecret[]
  readonly store: SecretStore
  readonly clock: AwsClock
  readonly newId: () => string
}

export function secretsEndpoint(options: SecretsOptions): Endpoint {
  const operations = operationsOver(options)
  return {
    service: 'secretsmanager',
    targetPrefix: 'secretsmanager',
    contentType: 'application/x-amz-json-1.1',
    permissionsFor(name, body) {
      if (!Object.hasOwn(operations, name)) return undefined
      const secret = findSecret(options.secrets, textOf(body, 'SecretId'))
      return [{ action: `secretsmanager:${name}`, resource: secret?.arn ?? textOf(body, 'SecretId') }]
    },
    async perform(name, body) {
      const secret = findSecret(options.secrets, textOf(body, 'SecretId'))
      if (secret === undefined) throw notFound("can't find the specified secret.")
      return operations[name]?.(secret, body)
    },
  }
}

function operationsOver(
  options: SecretsOptions,
): Readonly<Record<string, (secret: DeclaredSecret, body: RequestBody) => unknown>> {
  const { store } = options
  return {
    GetSecretValue(secret, body) {
      const version = versionFor(store, secret, body)
      return {
        ARN: secret.arn,
        Name: secret.name,
        VersionId: version.id,
        SecretString: version.secretString,
        VersionStages: version.stages,
        CreatedDate: version.createdMs / 1000,
      }
    },
    DescribeSecret(secret) {
      const versions = store.versions(secret.name)
      return {
        ARN: secret.arn,
        Name: secret.name,
        VersionIdsToStages: Object.fromEntries(
          versions.filter((version) => version.stages.length > 0).map((version) => [version.id, version.stages]),
        ),
      }
    },
    PutSecretValue(secret, body) {
      const secretString = textOf(body, 'SecretString')
      const id = findText(body, 'ClientRequestToken') ?? options.newId()
      const stages = stagesOf(body)
      const existing = store.versions(secret.name).find((version) => version.id === id)
      if (existing !== undefined && existing.secretString !== secretString) {
        throw new AwsError('ResourceExistsException', 'A version with this ClientRequestToken has another value.')
      }
      if (existing === undefined) putVersion(options, secret, id, secretString, stages)
      return { ARN: secret.arn, Name: secret.name, VersionId: id, VersionStages: existing?.stages ?? stages }
    },
    UpdateSecretVersionStage(secret, body) {
      const stage = textOf(body, 'VersionStage')
      const holder = store.findByStage(secret.name, stage)?.id
      const to = findText(body, 'MoveToVersionId')
      if (to !== undefined && !store.versions(secret.name).some((version) => version.id === to)) {
        throw notFound(`can't find the specified secret version: ${to}.`)
      }
      if (holder !== undefined && holder !== to && findText(body, 'RemoveFromVersionId') !== holder) {
        throw new AwsError(
          'InvalidParameterException',
          `${stage} is attached to version ${holder}: name it to move it.`,
        )
      }
      if (stage === CURRENT && to === undefined) {
        throw new AwsError('InvalidParameterException', `${CURRENT} can be moved, not removed.`)
      }
      store.moveStage(secret.name, stage, to)
      return { ARN: secret.arn, Name: secret.name }
    },
  }
}

/** Makes `secretString` the current value unless it is that already. */
export function ensureCurrent(options: SecretsOptions, secret: DeclaredSecret, secretString: string): void {
  if (options.store.findByStage(secret.name, CURRENT)?.secretString === secretString) return
  putVersion(options, secret, options.newId(), secretString, [CURRENT])
}

function putVersion(
  { store, clock }: SecretsOptions,
  secret: DeclaredSecret,
  id: string,
  secretString: string,
  stages: readonly string[],
): void {
  if (Buffer.byteLength(secretString) > VALUE_LIMIT_BYTES) {
    throw new AwsError('ValidationException', `SecretString is longer than ${VALUE_LIMIT_BYTES} bytes`)
  }
  store.add(secret.name, { id, secretString, stages, createdMs: clock.nowMs() })
}

function versionFor(store: SecretStore, secret: DeclaredSecret, body: RequestBody): SecretVersion {
  const id = findText(body, 'VersionId')
  const stage = findText(body, 'VersionStage')
  const version = store
    .versions(secret.name)
    .find(
      (each) =>
        (id === undefined || each.id === id) &&
        (stage === undefined && id !== undefined ? true : each.stages.includes(stage ?? CURRENT)),
    )
  if (version !== undefined) return version
  throw notFound(
    id === undefined
      ? `can't find the specified secret value for staging label: ${stage ?? CURRENT}`
      : `can't find the specified secret value for VersionId: ${id}`,
  )
}

function stagesOf(body: RequestBody): readonly string[] {
  const stages = body.VersionStages
  if (stages === undefined || stages === null) return [CURRENT]
  if (Array.isArray(stages) && stages.every((stage) => typeof stage === 'string')) return stages
  throw new AwsError('InvalidParameterException', 'VersionStages must be a list of strings')
}

/** By name, ARN, or ARN without its six random characters. */
function findSecret(secrets: readonly DeclaredSecret[], id: string): DeclaredSecret | undefined {
  return secrets.find((secret) => [secret.name, secret.arn, secret.arn.slice(0, -7)].includes(id))
}

function notFound(what: string): AwsError {
  return new AwsError('ResourceNotFoundException', `Secrets Manager ${what}`)
}
