// Owns reading a service key from AWS Secrets Manager: the current version, cached for a while, and read again after
// `forget()`. Errors of Secrets Manager become errors of the closed set. The SDK's own error is dropped, because it may
// contain the secret.

import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import type { Clock } from '../clock.ts'
import type { Stage } from '../contract/service-settings.ts'
import { bareCause, errorName, errorText } from '../error-name.ts'
import { Refused, Transient } from '../errors.ts'
import { AWS_LIMITS, type AwsLimits, requestLimits } from './aws-limits.ts'
import { parseKeyMaterial, parseReadKey, type WantedKey } from './key-material.ts'
import type { KeySource, ServiceKey } from './key-source.ts'

interface StoredInSecretsManager {
  /** Name or ARN. */
  readonly secretId: string
  readonly clock: Clock
  readonly client?: SecretsManagerClient
}
interface SecretsManagerKeySourceOptions extends StoredInSecretsManager, WantedKey {}

/** Milliseconds after which a replaced key is no longer used, even if nobody called `forget()`. */
const MAX_AGE_MS = 5 * 60_000

/** A client that stops in time. Its address and credentials come from the environment. */
export function secretsManagerClient(limits: AwsLimits = AWS_LIMITS): SecretsManagerClient {
  return new SecretsManagerClient(requestLimits(limits))
}

export function secretsManagerKeySource(options: SecretsManagerKeySourceOptions): KeySource {
  return createKeySource(options, (text) => parseKeyMaterial(text, options))
}

/** The key of the role `read`, for code that never signs. */
export function secretsManagerReadKeySource(where: StoredInSecretsManager & { readonly stage: Stage }): KeySource {
  return createKeySource(where, (text) => parseReadKey(text, where.stage))
}

/** The key of the role `read` that the present one replaced. Its reads throw Refused where there is no such key. */
export function formerReadKeySource(where: StoredInSecretsManager & { readonly stage: Stage }): KeySource {
  return createKeySource(where, (text) => parseReadKey(text, where.stage), 'AWSPREVIOUS')
}

function createKeySource(
  where: StoredInSecretsManager,
  parse: (text: string) => ServiceKey,
  label: 'AWSCURRENT' | 'AWSPREVIOUS' = 'AWSCURRENT',
): KeySource {
  const { secretId, clock, client = secretsManagerClient() } = where
  let cached: { readonly key: Promise<ServiceKey>; readonly readAtMs: number } | undefined

  function current(): Promise<ServiceKey> {
    const ageMs = cached === undefined ? Number.POSITIVE_INFINITY : clock.nowMs() - cached.readAtMs
    if (cached !== undefined && ageMs >= 0 && ageMs <= MAX_AGE_MS) return cached.key
    // Caches the promise itself, so that concurrent callers share one request.
    const entry = { key: read(), readAtMs: clock.nowMs() }
    cached = entry
    entry.key.catch(() => {
      if (cached === entry) cached = undefined
    })
    return entry.key
  }

  async function read(): Promise<ServiceKey> {
    const text = await readSecret(client, secretId, label)
    if (text === undefined) throw new Refused('key secret: expected a text value, the secret holds a binary one')
    return parse(text)
  }

  return {
    current,
    forget: () => {
      cached = undefined
    },
  }
}

async function readSecret(client: SecretsManagerClient, secretId: string, label: string): Promise<string | undefined> {
  try {
    const secret = await client.send(new GetSecretValueCommand({ SecretId: secretId, VersionStage: label }))
    return secret.SecretString
  } catch (error) {
    throw secretsManagerError(error)
  }
}

/** Errors that a retry does not change. */
const LASTING: ReadonlyMap<string, string> = new Map([
  ['ResourceNotFoundException', 'the secret does not exist or has no value yet; put the key into it'],
  ['AccessDeniedException', 'this role may not read the secret'],
  ['DecryptionFailure', 'the secret cannot be decrypted with its key'],
  ['InvalidParameterException', 'the name of the secret is not valid'],
  ['InvalidRequestException', 'the secret cannot be read in its present state, such as scheduled for deletion'],
])

/** Returns Transient or Refused, with only the error's name. */
export function secretsManagerError(error: unknown): Error {
  const name = errorName(error)
  const lasting = LASTING.get(name)
  return lasting === undefined
    ? new Transient(`key secret: Secrets Manager did not answer (${errorText(error)})`, bareCause(error))
    : new Refused(`key secret: ${lasting} (${name})`, bareCause(error))
}
