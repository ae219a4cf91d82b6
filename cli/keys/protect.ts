// `sluice keys protect`: puts a policy on each secret of the deployment. Only its functions and two roles of people may read
// it then. Also puts the secret under the KMS key of treasury.json, if any. The caller must have one of those roles, so
// nobody locks themselves out.

import {
  DescribeSecretCommand,
  PutResourcePolicyCommand,
  type SecretsManagerClient,
  UpdateSecretCommand,
} from '@aws-sdk/client-secrets-manager'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { keyRolesOf, protectedSecrets, secretPolicy } from '../../core/contract/secret-policy.ts'
import { keySecretsOf } from '../../core/contract/treasury.ts'
import { errorName } from '../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../core/keys/aws-limits.ts'
import { secretsManagerClient } from '../../core/keys/secrets-manager-key-source.ts'
import { withClient } from '../../place/aws/with-client.ts'
import { readTreasury } from '../../place/configuration.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { OperationError, usageError } from '../../place/operation-error.ts'
import { configFileOf } from '../../place/settings.ts'
import type { CommandContext } from '../terminal/context.ts'

interface ProtectFlags {
  readonly config?: string
}

/** @throws OperationError; secrets protected before the error stay protected */
export async function protectSecrets(flags: ProtectFlags, { output, variables }: CommandContext): Promise<ExitCode> {
  const configFile = configFileOf(flags, variables)
  const treasury = readTreasury(configFile)
  const { aws, environment } = treasury
  const place = { ...(await callerOf(environment)), environment, rolePath: aws?.rolePath }
  const client = secretsManagerClient()
  try {
    const secrets = protectedSecrets(keySecretsOf(treasury.service), treasury)
    for (const [name, readBy] of secrets) {
      await protect(client, name, JSON.stringify(secretPolicy(readBy, place)))
      const { encryption } = treasury
      if (encryption?.secrets !== undefined) await putUnder(client, name, encryption.secrets)
    }
    const names = [...secrets.keys()]
    output.data(output.json ? JSON.stringify({ protected: names }) : names.join('\n'))
  } finally {
    client.destroy()
  }
  return ExitCode.Done
}

/**
 * Returns the caller's partition and account.
 * @throws OperationError (exit 2) for a caller without a role that the policy admits
 */
async function callerOf(environment: string | undefined): Promise<{ partition: string; account: string }> {
  return withClient(new STSClient(requestLimits(AWS_LIMITS)), async (client) => {
    const { Account: account = '', Arn: arn = '' } = await client.send(new GetCallerIdentityCommand({}))
    const roles = keyRolesOf(environment)
    const [, partition = 'aws'] = arn.split(':')
    if (roles.some((role) => arn.includes(`:assumed-role/${role}/`))) return { partition, account }
    const expected = `expected a session of the role ${roles.join(' or ')}, which the policy admits; these credentials are ${arn}`
    throw usageError('keys', expected, 'make that role once and assume it: docs/runbook.md, "Who may read the secrets"')
  }).catch((error: unknown) => {
    if (error instanceof OperationError) throw error
    throw failed('STS', error)
  })
}

async function protect(client: SecretsManagerClient, name: string, ResourcePolicy: string): Promise<void> {
  try {
    await client.send(new PutResourcePolicyCommand({ SecretId: name, ResourcePolicy, BlockPublicPolicy: true }))
  } catch (error) {
    throw failed(name, error)
  }
}

/** Puts the secret under the key. Of its versions AWS encrypts only those with AWS's labels again. */
async function putUnder(client: SecretsManagerClient, name: string, KmsKeyId: string): Promise<void> {
  try {
    const described = await client.send(new DescribeSecretCommand({ SecretId: name }))
    if (described.KmsKeyId !== KmsKeyId) await client.send(new UpdateSecretCommand({ SecretId: name, KmsKeyId }))
  } catch (error) {
    throw failed(name, error)
  }
}

/** Names the error only, because its message may quote what was sent. */
function failed(target: string, error: unknown): OperationError {
  const name = errorName(error)
  const isAbsent = name === 'ResourceNotFoundException'
  return new OperationError(
    {
      exitCode: ExitCode.Failed,
      code: 'refused',
      message: isAbsent ? `${target}: this secret does not exist yet` : `${target}: AWS did not do it (${name})`,
      next: isAbsent
        ? 'put the key first: sluice keys generate, or sluice events notices set'
        : 'check the permissions of your role (docs/runbook.md, "Who may read the secrets"); then run the command again',
    },
    { cause: new Error(name) },
  )
}
