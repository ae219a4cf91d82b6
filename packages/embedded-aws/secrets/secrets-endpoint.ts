// The Secrets Manager API on the wire (AWS JSON 1.1): creates secrets; reads, describes, lists, puts and relabels their
// versions; and manages their policies.
// Source: AWS Secrets Manager API Reference.
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import { decryptingThrough, type Endpoint, findText, type RequestBody, textOf } from '../endpoint/endpoint.ts'
import type { SecretPolicies } from './secret-policies.ts'
import { CURRENT, digestOf, type SecretStore, type SecretVersion } from './secret-store.ts'

const MOST_STAGES = 20

const LONGEST_STAGE = 256

interface StageMove {
  readonly stage: string
  /** Undefined: the label is only removed. */
  readonly to: string | undefined
}

export interface KnownSecret {
  readonly name: string
  readonly arn: string
}

/** AWS's maximum bytes of an encrypted secret value. */
const VALUE_LIMIT_BYTES = 65_536
/** The characters of names on AWS: letters, digits and /_+=.@- */
const SECRET_NAME = /^[A-Za-z0-9/_+=.@-]{1,512}$/
/** AWS's maximum versions on one page of ListSecretVersionIds. */
const MOST_LISTED = 100

export interface SecretsOptions {
  /** Secrets that exist even without a stored value, such as a template's. */
  readonly declared: readonly string[]
  readonly arnOf: (name: string) => string
  readonly store: SecretStore
  readonly policies: SecretPolicies
  readonly clock: AwsClock
  readonly newId: () => string
}

export function secretsEndpoint(options: SecretsOptions): Endpoint {
  const kmsKeys: KmsKeys = new Map()
  const operations = operationsOver(options, kmsKeys)
  return {
    service: 'secretsmanager',
    targetPrefix: 'secretsmanager',
    contentType: 'application/x-amz-json-1.1',
    permissionsFor(name, body) {
      if (name === 'CreateSecret') {
        return [{ action: 'secretsmanager:CreateSecret', resource: options.arnOf(textOf(body, 'Name')) }]
      }
      if (!Object.hasOwn(operations, name)) return undefined
      const secret = findSecret(options, textOf(body, 'SecretId'))
      const kmsKeyArn = name === 'GetSecretValue' ? kmsKeys.get(secret?.arn ?? '') : undefined
      return [
        { action: `secretsmanager:${name}`, resource: secret?.arn ?? textOf(body, 'SecretId') },
        ...(kmsKeyArn === undefined ? [] : [decryptingThrough('secretsmanager', kmsKeyArn)]),
      ]
    },
    async perform(name, body) {
      if (name === 'CreateSecret') return createSecret(options, kmsKeys, body)
      const secret = findSecret(options, textOf(body, 'SecretId'))
      if (secret === undefined) throw notFound("can't find the specified secret.")
      return operations[name]?.(secret, body)
    },
  }
}

/** ARN of a secret's own KMS key, by ARN of the secret. Kept while this process runs. */
type KmsKeys = Map<string, string>

function operationsOver(
  options: SecretsOptions,
  kmsKeys: KmsKeys,
): Readonly<Record<string, (secret: KnownSecret, body: RequestBody) => unknown>> {
  const { policies, store } = options
  return {
    GetSecretValue(secret, body) {
      const version = versionFor(store, secret, body)
      if (version.secretString === undefined) throw new AwsError('DecryptionFailure', NOT_KEPT)
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
      const made = versions.map(({ createdMs }) => createdMs / 1000)
      return {
        ARN: secret.arn,
        Name: secret.name,
        // A declared secret without a value has no date here.
        ...(made.length > 0 && { CreatedDate: Math.min(...made), LastChangedDate: Math.max(...made) }),
        VersionIdsToStages: Object.fromEntries(
          versions.filter((version) => version.stages.length > 0).map((version) => [version.id, version.stages]),
        ),
        ...(kmsKeys.has(secret.arn) && { KmsKeyId: kmsKeys.get(secret.arn) }),
      }
    },
    UpdateSecret(secret, body) {
      if (body.SecretString !== undefined || body.SecretBinary !== undefined)
        throw new AwsError('InvalidParameterException', 'The embedded AWS puts values by PutSecretValue')
      kmsKeys.set(secret.arn, textOf(body, 'KmsKeyId'))
      return { ARN: secret.arn, Name: secret.name }
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
    GetResourcePolicy(secret) {
      const ResourcePolicy = policies.findDocument(secret.arn)
      return { ARN: secret.arn, Name: secret.name, ...(ResourcePolicy !== undefined && { ResourcePolicy }) }
    },
    PutResourcePolicy(secret, body) {
      policies.put(secret.arn, textOf(body, 'ResourcePolicy'))
      return { ARN: secret.arn, Name: secret.name }
    },
    DeleteResourcePolicy(secret) {
      policies.delete(secret.arn)
      return { ARN: secret.arn, Name: secret.name }
    },
  }
}

/** Returns the VersionStages of a PutSecretValue; AWSCURRENT by default. */
function stagesOf(body: RequestBody): readonly string[] {
  const stages = body.VersionStages
  if (stages === undefined || stages === null) return [CURRENT]
  const isList = Array.isArray(stages) && stages.every((stage) => typeof stage === 'string' && isStage(stage))
  if (isList && stages.length > 0 && stages.length <= MOST_STAGES) return stages
  throw invalid(`VersionStages must be a list of 1 to ${MOST_STAGES} labels`)
}

function isStage(stage: string): boolean {
  return stage.length > 0 && stage.length <= LONGEST_STAGE
}

function invalid(reason: string): AwsError {
  return new AwsError('InvalidParameterException', reason)
}

/** Returns the move of an UpdateSecretVersionStage, if the current labels allow it. Throws AwsError. */
function stageMove(body: RequestBody, versions: readonly SecretVersion[]): StageMove {
  const stage = textOf(body, 'VersionStage')
  const to = findText(body, 'MoveToVersionId')
  const from = findText(body, 'RemoveFromVersionId')
  if (!isStage(stage)) throw invalid(`VersionStage must have 1 to ${LONGEST_STAGE} characters`)
  if (to === undefined && from === undefined) throw invalid('name a version to move the label to, or to remove it from')
  for (const id of [to, from]) requireVersion(versions, id)
  const holder = versions.find((version) => version.stages.includes(stage))?.id
  if (from !== undefined && from !== holder) throw invalid(`${stage} is not attached to version ${from}.`)
  // AWS requires the current holder's version, which makes a move a compare-and-set.
  if (holder !== undefined && holder !== to && from === undefined) {
    throw invalid(`${stage} is attached to version ${holder}: name it to move it.`)
  }
  if (stage === CURRENT && to === undefined) throw invalid(`${CURRENT} can be moved, not removed.`)
  const target = versions.find((version) => version.id === to)
  if (target !== undefined && holder !== to && target.stages.length >= MOST_STAGES) {
    throw new AwsError('LimitExceededException', `a version has at most ${MOST_STAGES} labels`)
  }
  return { stage, to }
}

function requireVersion(versions: readonly SecretVersion[], id: string | undefined): void {
  if (id === undefined || versions.some((version) => version.id === id)) return
  throw new AwsError('ResourceNotFoundException', `Secrets Manager can't find the specified secret version: ${id}.`)
}

/** Returns one page of versions. A token is a position here. */
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

const NOT_KEPT = "Secrets Manager can't decrypt the secret value: it was given for one start, and is kept on no disk"

/**
 * Makes a value given at boot the current one, unless the previous boot got the same value. Then later changes, such as
 * a rotation, stay. If `isKept` is false, no given value of this secret stays on disk.
 */
export function ensureGiven(options: SecretsOptions, name: string, secretString: string, isKept: boolean): void {
  const { store, newId } = options
  if (!isKept) store.forgetGiven(name)
  const last = store.versions(name).findLast((version) => version.isGiven === true)
  if (last?.secretString === secretString) return
  const digest = digestOf(secretString)
  if (last?.digest === digest) {
    store.recall(name, last.id, secretString)
    return
  }
  const version = { id: newId(), secretString, stages: [CURRENT], isGiven: true, ...(!isKept && { digest }) }
  putVersion(options, { name }, version)
}

function putVersion(
  { store, clock }: SecretsOptions,
  secret: Pick<KnownSecret, 'name'>,
  version: Omit<SecretVersion, 'createdMs'> & { readonly secretString: string },
): void {
  if (Buffer.byteLength(version.secretString) > VALUE_LIMIT_BYTES) {
    throw new AwsError('ValidationException', `SecretString is longer than ${VALUE_LIMIT_BYTES} bytes`)
  }
  store.add(secret.name, { ...version, createdMs: clock.nowMs() })
}

function versionFor(store: SecretStore, secret: KnownSecret, body: RequestBody): SecretVersion {
  const id = findText(body, 'VersionId')
  const stage = findText(body, 'VersionStage')
  const version = store
    .versions(secret.name)
    .find(
      (candidate) =>
        (id === undefined || candidate.id === id) &&
        (stage === undefined && id !== undefined ? true : candidate.stages.includes(stage ?? CURRENT)),
    )
  if (version !== undefined) return version
  throw notFound(
    id === undefined
      ? `can't find the specified secret value for staging label: ${stage ?? CURRENT}`
      : `can't find the specified secret value for VersionId: ${id}`,
  )
}

/** Finds a secret by name, ARN, or ARN without its six random characters. */
function findSecret({ arnOf, declared, store }: SecretsOptions, id: string): KnownSecret | undefined {
  return [...declared, ...store.names()]
    .map((name) => ({ name, arn: arnOf(name) }))
    .find(({ arn, name }) => [name, arn, arn.slice(0, -7)].includes(id))
}

/** Creates a secret, empty or with a first version, as AWS does. */
function createSecret(options: SecretsOptions, kmsKeys: KmsKeys, body: RequestBody): unknown {
  const name = textOf(body, 'Name')
  if (!SECRET_NAME.test(name)) throw new AwsError('InvalidParameterException', 'Invalid name.')
  if (findSecret(options, name) !== undefined) {
    throw new AwsError('ResourceExistsException', `The operation failed because the secret ${name} already exists.`)
  }
  const secret = { name, arn: options.arnOf(name) }
  const secretString = findText(body, 'SecretString')
  const id = findText(body, 'ClientRequestToken') ?? options.newId()
  options.store.create(name)
  const kmsKeyArn = findText(body, 'KmsKeyId')
  if (kmsKeyArn !== undefined) kmsKeys.set(secret.arn, kmsKeyArn)
  if (secretString === undefined) return { ARN: secret.arn, Name: name }
  putVersion(options, secret, { id, secretString, stages: [CURRENT] })
  return { ARN: secret.arn, Name: name, VersionId: id }
}

function notFound(reason: string): AwsError {
  return new AwsError('ResourceNotFoundException', `Secrets Manager ${reason}`)
}
