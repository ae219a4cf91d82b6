// Owns how a construct knows the KMS keys under which what it stores is encrypted: the app says them once, for all stacks. The
// account makes the keys, and a deployment neither makes nor changes one: docs/decisions/0066.
import type { App } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type IKey, Key } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import type { Encrypted, Treasury } from '../../core/contract/treasury.ts'

const KEYS = 'sluice:encryption'

/** Before the first stack is made. */
export function setOwnKeys(app: App, keys: Treasury['encryption']): void {
  app.node.setContext(KEYS, keys ?? {})
}

/** ARN of the key for `what`; undefined: a key of AWS. */
export function ownKeyArn(scope: Construct, what: Encrypted): string | undefined {
  return scope.node.tryGetContext(KEYS)?.[what]
}

/** For a property `encryptionKey`, which is left out where a key of AWS does. */
export function underOwnKey(scope: Construct, what: Encrypted): { readonly encryptionKey?: IKey } {
  const arn = ownKeyArn(scope, what)
  return arn === undefined ? {} : { encryptionKey: Key.fromKeyArn(scope, `${what}Key`, arn) }
}

/** A service that keeps data under a key of one's own decrypts it in the name of who reads or writes, and with their permissions. */
export function mayDecrypt(
  scope: Construct,
  what: Encrypted,
  service: 'dynamodb' | 'secretsmanager',
): readonly PolicyStatement[] {
  const arn = ownKeyArn(scope, what)
  if (arn === undefined) return []
  const [, , , region] = arn.split(':')
  return [
    new PolicyStatement({
      actions: ['kms:Decrypt'],
      resources: [arn],
      // The name of the service ends otherwise in China.
      conditions: { StringLike: { 'kms:ViaService': `${service}.${region}.amazonaws.com*` } },
    }),
  ]
}
