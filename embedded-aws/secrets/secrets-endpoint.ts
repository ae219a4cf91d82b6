// The Secrets Manager API on the wire (AWS JSON 1.1): reading, describing, listing, putting and
// relabelling versions of the secrets that are declared.
// Source: AWS Secrets Manager API Reference.
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { findText, type RequestBody, textOf } from '../endpoint/request-body.ts'
import { CURRENT, type SecretStore, type SecretVersion } from './secret-store.ts'
import { stageMove, stagesOf } from './version-stages.ts'

export interface DeclaredSecret {
  readonly name: string
  readonly arn: string
}

/** AWS: the encrypted secret value has at most 65,536 bytes. */
const VALUE_LIMIT_BYTES = 65_536
/** AWS: versions on one page of ListSecretVersionIds. */
const MOST_LISTED = 100

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
      if (existing === undefined) putVersion(options, secret, { id, secretString, stages })
      const put = store.versions(secret.name).find((version) => version.id === id)
      return { ARN: secret.arn, Name: secret.name, VersionId: id, VersionStages: put?.stages }
    },
    ListSecretVersionIds(secret, body) {
      const withDeprecated = body.IncludeDeprecated === true
      const listed = store.versions(secret.name).filter(({ stages }) => withDeprecated || stages.length > 0)
      const { page, next } = pageOf(listed, body)
      return {
        ARN: secret.arn,
        Name: secret.name,
        Versions: page.map(({ id, stages, createdMs }) => ({
          VersionId: id,
          VersionStages: stages,
          CreatedDate: createdMs / 1000,
        })),
        ...(next !== undefined && { NextToken: next }),
      }
    },
    UpdateSecretVersionStage(secret, body) {
      const { stage, to } = stageMove(body, store.versions(secret.name))
      store.moveStage(secret.name, stage, to)
      return { ARN: secret.arn, Name: secret.name }
    },
  }
}

/** From the token's position on; a token is a position here. */
function pageOf(versions: readonly SecretVersion[], body: RequestBody) {
  const size = body.MaxResults ?? MOST_LISTED
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1 || size > MOST_LISTED) {
    throw new AwsError('InvalidParameterException', `MaxResults must be a whole number from 1 to ${MOST_LISTED}`)
  }
  const start = Number(findText(body, 'NextToken') ?? '0')
  if (!Number.isInteger(start) || start < 0) throw new AwsError('InvalidNextTokenException', 'the token is not valid')
  const end = start + size
  return { page: versions.slice(start, end), next: end < versions.length ? String(end) : undefined }
}

/**
 * Makes what a boot is given the current value, unless the boot before was given the same: what has
 * become of it since then, such as a rotation, then stays.
 */
export function ensureGiven(options: SecretsOptions, secret: DeclaredSecret, secretString: string): void {
  const { store, newId } = options
  const last = store.versions(secret.name).findLast((version) => version.isGiven === true)
  if (last?.secretString === secretString) return
  putVersion(options, secret, { id: newId(), secretString, stages: [CURRENT], isGiven: true })
}

function putVersion(
  { store, clock }: SecretsOptions,
  secret: DeclaredSecret,
  version: Omit<SecretVersion, 'createdMs'>,
): void {
  if (Buffer.byteLength(version.secretString) > VALUE_LIMIT_BYTES) {
    throw new AwsError('ValidationException', `SecretString is longer than ${VALUE_LIMIT_BYTES} bytes`)
  }
  store.add(secret.name, { ...version, createdMs: clock.nowMs() })
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

/** By name, ARN, or ARN without its six random characters. */
function findSecret(secrets: readonly DeclaredSecret[], id: string): DeclaredSecret | undefined {
  return secrets.find((secret) => [secret.name, secret.arn, secret.arn.slice(0, -7)].includes(id))
}

function notFound(what: string): AwsError {
  return new AwsError('ResourceNotFoundException', `Secrets Manager ${what}`)
}
