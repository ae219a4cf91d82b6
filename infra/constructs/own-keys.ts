// Gives constructs the KMS keys for their stored data. Each stack sets them once, for everything in it. The account
// creates the keys; a deployment neither creates nor changes a key (docs/runbook.md, "Keys of your own for what is
// stored").
import type { Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import { hostOfAws } from '../../core/contract/partition.ts'
import type { EncryptedData, Treasury } from '../../core/contract/treasury.ts'

const KEYS = 'sluice:encryption'

/** Call this function before anything is created in the stack. */
export function setOwnKeys(stack: Stack, keys: Treasury['encryption']): void {
  stack.node.setContext(KEYS, keys ?? {})
}

/** ARN of the key for `data`; `undefined` for AWS's own key. */
export function ownKeyArn(scope: Construct, data: EncryptedData): string | undefined {
  return scope.node.tryGetContext(KEYS)?.[data]
}

/** Properties with an `encryptionKey`; empty for AWS's own key. */
export function underOwnKey(scope: Construct, data: EncryptedData): { readonly encryptionKey?: IKey } {
  const arn = ownKeyArn(scope, data)
  return arn === undefined ? {} : { encryptionKey: Key.fromKeyArn(scope, `${data}Key`, arn) }
}

/**
 * Permission to decrypt by way of `service`. A service with data under our key decrypts it for the reader or writer,
 * with their permissions.
 */
export function mayDecrypt(
  scope: Construct,
  data: EncryptedData,
  service: 'dynamodb' | 'secretsmanager',
): readonly PolicyStatement[] {
  const arn = ownKeyArn(scope, data)
  if (arn === undefined) return []
  const [, , , region = ''] = arn.split(':')
  return [
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [arn],
      conditions: { StringEquals: { 'kms:ViaService': hostOfAws(service, region) } },
    }),
  ]
}
