// Declares the key that signs people's decisions, and the permissions for it. Steps know the key by its alias, because stacks
// refer to each other by names.
import { type RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyDocument, type PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Alias, type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import { decisionKeyPolicy } from '../../core/contract/decision-key-policy.ts'
import { decisionKeyAlias } from '../../core/contract/deployed-names.ts'
import { environmentIn } from './deployed-name.ts'
import { onAlias } from './key-access.ts'

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
