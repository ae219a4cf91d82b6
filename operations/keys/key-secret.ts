// Reads and writes one secret in Secrets Manager, with the versions and staging labels that a rotation uses. An AWS
// error is reported by its name only, because its message may carry a secret.

import { randomUUID } from 'node:crypto'
import {
  CreateSecretCommand,
  DescribeSecretCommand,
  GetSecretValueCommand,
  ListSecretVersionIdsCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
  UpdateSecretVersionStageCommand,
} from '@aws-sdk/client-secrets-manager'
import { errorName } from '../../core/error-name.ts'
import { Transient } from '../../core/errors.ts'
import { secretsManagerError } from '../../core/keys/secrets-manager-key-source.ts'
import { findAwsRemedy } from '../../place/aws/connection-remedy.ts'
import { advice, option } from '../../place/next-step.ts'
import { failedWith, type OperationError, usageError } from '../../place/operation-error.ts'

/** AWS moves AWSPREVIOUS together with AWSCURRENT. */
export const Label = {
  Current: 'AWSCURRENT',
  Pending: 'AWSPENDING',
  Previous: 'AWSPREVIOUS',
  /** The label of the version that `keys verify` approved. A version never changes, so this stays true. */
  Verified: 'SLUICE_VERIFIED',
} as const
export type Label = (typeof Label)[keyof typeof Label]

export interface KeyVersion {
  readonly id: string
  readonly labels: readonly string[]
  readonly createdAt: Date | undefined
}

const DESCRIPTION = 'Key of the conversion service that Sluice uses. Put by sluice keys: see docs/runbook.md.'

/** Maximum pages. AWS keeps about a hundred versions, and shows as many on a page. */
const MOST_PAGES = 5

export interface MadeSecret {
  readonly description?: string
  /** ARN of a customer KMS key; undefined: the key that AWS keeps for secrets. */
  readonly kmsKeyArn?: string | undefined
}

export class KeySecret {
  readonly name: string
  readonly #client: SecretsManagerClient
  readonly #made: MadeSecret

  /** `made`: the settings with which a missing secret is made. */
  constructor(client: SecretsManagerClient, name: string, made: MadeSecret = {}) {
    this.#client = client
    this.#made = made
    this.name = name
  }

  /** Versions that have a label, newest first; empty while the secret is empty or does not exist. */
  async versions(): Promise<readonly KeyVersion[]> {
    const versions: KeyVersion[] = []
    let NextToken: string | undefined
    for (let pages = 0; pages < MOST_PAGES; pages++) {
      const command = new ListSecretVersionIdsCommand({
        SecretId: this.name,
        ...(NextToken !== undefined && { NextToken }),
      })
      const page = await this.#client.send(command).catch((error: unknown) => {
        if (error instanceof ResourceNotFoundException) return undefined
        throw this.#failure(error)
      })
      if (page === undefined) break
      for (const { VersionId, VersionStages = [], CreatedDate } of page.Versions ?? []) {
        if (VersionId !== undefined && VersionStages.length > 0)
          versions.push({ id: VersionId, labels: VersionStages, createdAt: CreatedDate })
      }
      NextToken = page.NextToken
      if (!NextToken) break
    }
    return versions.sort((left, right) => (right.createdAt?.getTime() ?? 0) - (left.createdAt?.getTime() ?? 0))
  }

  async read(versionId: string): Promise<string> {
    const command = new GetSecretValueCommand({ SecretId: this.name, VersionId: versionId })
    const { SecretString } = await this.#asked(this.#client.send(command))
    if (SecretString !== undefined) return SecretString
    throw usageError(
      'keys',
      `${this.name}: expected a text value; the secret holds a binary one`,
      'put the key as text',
    )
  }

  /**
   * Puts a new version as AWSPENDING, and removes that label from any other version. Makes the secret where it does not
   * exist. Returns the version's id.
   */
  async putPending(text: string): Promise<string> {
    await this.#ensure()
    // The token makes it one version, even if the SDK sends the request twice.
    const ClientRequestToken = randomUUID()
    const VersionStages = [Label.Pending]
    const command = new PutSecretValueCommand({
      SecretId: this.name,
      SecretString: text,
      ClientRequestToken,
      VersionStages,
    })
    const { VersionId = ClientRequestToken } = await this.#asked(this.#client.send(command))
    return VersionId
  }

  /** No deployment makes the secret, because a later deployment might have to take it over or delete it. */
  async #ensure(): Promise<void> {
    const { description = DESCRIPTION, kmsKeyArn } = this.#made
    const command = new CreateSecretCommand({
      Name: this.name,
      Description: description,
      ...(kmsKeyArn !== undefined && { KmsKeyId: kmsKeyArn }),
    })
    try {
      await this.#client.send(new DescribeSecretCommand({ SecretId: this.name }))
    } catch (error) {
      if (!(error instanceof ResourceNotFoundException)) throw this.#failure(error)
      await this.#client.send(command).catch((failure: unknown) => {
        // Another process has made it meanwhile.
        if (!(failure instanceof ResourceExistsException)) throw this.#failure(failure)
      })
    }
  }

  /** Moves a label from one version to another. AWS refuses it where a third version got the label meanwhile. */
  async move(label: Label, from: string | undefined, to: string | undefined): Promise<void> {
    if (from === to) return
    const command = new UpdateSecretVersionStageCommand({
      SecretId: this.name,
      VersionStage: label,
      ...(from !== undefined && { RemoveFromVersionId: from }),
      ...(to !== undefined && { MoveToVersionId: to }),
    })
    await this.#asked(this.#client.send(command))
  }

  async #asked<Answer>(answer: Promise<Answer>): Promise<Answer> {
    try {
      return await answer
    } catch (error) {
      throw this.#failure(error)
    }
  }

  #failure(error: unknown): OperationError {
    const name = errorName(error)
    if (name === 'CredentialsProviderError' || name === 'RegionMissing') {
      const message = name === 'CredentialsProviderError' ? 'no AWS credentials were found' : 'no AWS region is set'
      return usageError(
        'configuration',
        message,
        advice`sign in to AWS and set AWS_PROFILE and AWS_REGION, or use ${option('embedded')}`,
      )
    }
    if (name === 'ResourceNotFoundException') {
      const message = `${this.name}: no such secret in this account and region`
      return usageError(
        'configuration',
        message,
        advice`make it with ${{ do: 'generate-keys' }}, or check AWS_PROFILE and AWS_REGION`,
      )
    }
    const failure = secretsManagerError(error)
    const look =
      name === 'DecryptionFailure'
        ? NOT_READABLE
        : (findAwsRemedy(error) ?? 'check the permissions of your role on this secret and the network')
    return failedWith(
      failure instanceof Transient ? 'unreachable' : 'refused',
      `${this.name}: ${failure.message}`,
      advice`${look}; then run the command again`,
      failure,
    )
  }
}

const NOT_READABLE = advice`in a state directory this is a key of ${option('keys', '-')}, which is kept on no disk: start ${{ do: 'serve' }} with it beside this command; on AWS let your role use the KMS key of this secret`

export function withLabel(versions: readonly KeyVersion[], label: Label): KeyVersion | undefined {
  return versions.find(({ labels }) => labels.includes(label))
}
