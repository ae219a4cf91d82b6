// Gives a function what it needs to use the key of one role, and nothing of any other role: variables that name the
// key, and exact permissions for it.
import { ArnFormat, Stack, Validations } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { Environment } from '../../core/contract/environment.ts'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import { mayDecrypt } from './own-keys.ts'

export interface KeyAccessProps {
  readonly role: KeyRole
  /** Name of the secret that holds the key. */
  readonly secret: string
  /** ARN or alias, where a KMS key signs for the role. */
  readonly kmsKey: string | undefined
}

export interface KeyAccess {
  readonly environment: Readonly<Record<string, string>>
  /** For functions that read with the key. */
  readonly reads: readonly PolicyStatement[]
  /** For functions that also sign with it. */
  readonly signs: readonly PolicyStatement[]
}

export function keyAccess(scope: Construct, { role, secret, kmsKey }: KeyAccessProps): KeyAccess {
  const reads = mayReadSecret(scope, secret)
  return {
    environment: {
      [Environment.KeySecret]: secret,
      [Environment.KeyRole]: role,
      ...(kmsKey !== undefined && { [Environment.KmsKey]: kmsKey }),
    },
    reads,
    signs: kmsKey === undefined ? reads : [...reads, mayJustSign(scope, kmsKey)],
  }
}

/** Permission to read a secret by name, because no deployment creates secrets. */
export function mayReadSecret(scope: Construct, secret: string): readonly PolicyStatement[] {
  // Secrets Manager appends six random characters to the ARN of a secret.
  const arn = Stack.of(scope).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${secret}-??????`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
  return [
    new PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: [arn] }),
    ...mayDecrypt(scope, 'secrets', 'secretsmanager'),
  ]
}

function mayJustSign(scope: Construct, kmsKey: string): PolicyStatement {
  if (kmsKey.startsWith('arn:')) return new PolicyStatement({ actions: ['kms:Sign'], resources: [kmsKey] })
  return onAlias(scope, kmsKey, 'kms:Sign')
}

/** IAM knows keys and not aliases. https://docs.aws.amazon.com/kms/latest/developerguide/alias-authorization.html */
export function onAlias(scope: Construct, alias: string, action: string): PolicyStatement {
  const format = { service: 'kms', resource: 'key', resourceName: '*', arnFormat: ArnFormat.SLASH_RESOURCE_NAME }
  Validations.of(scope).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:key/*]',
    reason: 'IAM knows KMS keys and not their aliases: the condition kms:RequestAlias leaves the one key of the alias.',
  })
  return new PolicyStatement({
    actions: [action],
    resources: [Stack.of(scope).formatArn(format)],
    conditions: { StringEquals: { 'kms:RequestAlias': alias } },
  })
}
