// Gives a function what it needs to use the key of one role, and nothing of any other role: variables that name the
// key, and exact permissions for it. Declares the key that signs people's decisions. Steps know that key by its alias,
// because stacks refer to each other by names.
import { ArnFormat, type RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Alias, type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import { decisionKeyPolicy } from '../../core/contract/decision-key-policy.ts'
import { decisionKeyAlias } from '../../core/contract/deployed-names.ts'
import { Environment } from '../../core/contract/environment.ts'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import { environmentIn } from './deployed-name.ts'
import { mayDecrypt } from './own-keys.ts'
import { setAside } from './set-aside.ts'

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
  setAside(scope, {
    id: 'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:kms:<AWS::Region>:<AWS::AccountId>:key/*]',
    reason: 'IAM knows KMS keys and not their aliases: the condition kms:RequestAlias leaves the one key of the alias.',
  })
  return new PolicyStatement({
    actions: [action],
    resources: [Stack.of(scope).formatArn(format)],
    conditions: { StringEquals: { 'kms:RequestAlias': alias } },
  })
}

export function declareDecisionKey(scope: Construct, removalPolicy: RemovalPolicy): void {
  const { account, partition } = Stack.of(scope)
  const key = new Key(scope, 'DecisionKey', {
    description: 'Signs what people decide in Sluice. Without it no approval counts.',
    keySpec: KeySpec.ECC_NIST_EDWARDS25519,
    keyUsage: KeyUsage.SIGN_VERIFY,
    removalPolicy,
    policy: PolicyDocument.fromJson(decisionKeyPolicy({ account, partition, environment: environmentIn(scope) })),
  })
  // CDK's types are inexact about `undefined`.
  const targetKey = key as IKey
  new Alias(scope, 'DecisionAlias', { aliasName: decisionAliasIn(scope), targetKey, removalPolicy })
}

export function decisionAliasIn(scope: Construct): string {
  return decisionKeyAlias(environmentIn(scope))
}

/** Permission on the key of the alias alone. */
export function onDecisionKey(scope: Construct, action: 'kms:GetPublicKey' | 'kms:Sign'): PolicyStatement {
  return onAlias(scope, decisionAliasIn(scope), action)
}
