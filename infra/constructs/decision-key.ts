// Declares the key that signs people's decisions, and the permissions for it. Decide alone may sign. Its policy gives IAM
// everything but the signature and grants, so those who deploy keep the key, and no other role becomes its user by a policy
// of its own. Steps know the key by its alias, because stacks refer to each other by names.
import { type RemovalPolicy, Stack } from 'aws-cdk-lib'
import { AccountRootPrincipal, AnyPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Alias, type IKey, Key, KeySpec, KeyUsage } from 'aws-cdk-lib/aws-kms'
import type { Construct } from 'constructs'
import { DECIDE_ROLE, decisionKeyAlias, roleArn } from '../../core/contract/deployed-names.ts'
import { environmentIn, nameIn } from './deployed-name.ts'
import { onAlias } from './key-access.ts'

/** Actions that IAM may allow in the account. `UpdateAlias` is missing: the alias never leads to another key. */
const ADMINISTRATION = [
  ...['CancelKeyDeletion', 'CreateAlias', 'DeleteAlias', 'DescribeKey', 'DisableKey', 'EnableKey', 'GetKeyPolicy'],
  ...['GetKeyRotationStatus', 'ListGrants', 'ListKeyPolicies', 'ListResourceTags', 'PutKeyPolicy'],
  ...['ScheduleKeyDeletion', 'TagResource', 'UntagResource', 'UpdateKeyDescription'],
].map((each) => `kms:${each}`)

export function declareDecisionKey(scope: Construct, removalPolicy: RemovalPolicy): void {
  const { account, partition } = Stack.of(scope)
  // A role's name is unique in the account, whatever its path, and has no slash.
  const decide = (path: string) => roleArn(nameIn(scope, DECIDE_ROLE), { account, partition, path })
  const ofAccount = { principals: [new AccountRootPrincipal()], resources: ['*'] }
  const key = new Key(scope, 'DecisionKey', {
    description: 'Signs what people decide in Sluice. Without it no approval counts.',
    keySpec: KeySpec.ECC_NIST_EDWARDS25519,
    keyUsage: KeyUsage.SIGN_VERIFY,
    removalPolicy,
    policy: new PolicyDocument({
      statements: [
        new PolicyStatement({ sid: 'IamAdministers', actions: ADMINISTRATION, ...ofAccount }),
        new PolicyStatement({
          sid: 'DecideAloneSigns',
          actions: ['kms:Sign'],
          conditions: { ArnLike: { 'aws:PrincipalArn': [decide('/'), decide('/*/')] } },
          ...ofAccount,
        }),
        // People count decisions too, and the public half is no secret.
        new PolicyStatement({
          sid: 'TheAccountVerifies',
          actions: ['kms:GetPublicKey'],
          principals: [new AnyPrincipal()],
          resources: ['*'],
          conditions: { StringEquals: { 'kms:CallerAccount': account } },
        }),
      ],
    }),
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
