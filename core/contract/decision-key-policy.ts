// Owns the policy of the key that signs people's decisions. Decide alone may sign. IAM gives everything but the signature and
// grants, so that those who deploy keep the key. No other role becomes its user by a policy of its own. infra deploys the policy.
// `sluice setup doctor --aws` compares the deployed one with it.
import { DECIDE_ROLE, deployedName, roleArn } from './deployed-names.ts'

/** Actions that IAM may allow in the account. `UpdateAlias` is missing: the alias never leads to another key. */
const ADMINISTRATION = [
  ...['CancelKeyDeletion', 'CreateAlias', 'DeleteAlias', 'DescribeKey', 'DisableKey', 'EnableKey', 'GetKeyPolicy'],
  ...['GetKeyRotationStatus', 'ListGrants', 'ListKeyPolicies', 'ListResourceTags', 'PutKeyPolicy'],
  ...['ScheduleKeyDeletion', 'TagResource', 'UntagResource', 'UpdateKeyDescription'],
].map((each) => `kms:${each}`)

interface KeyPlace {
  readonly partition: string
  readonly account: string
  readonly environment: string | undefined
}

export function decisionKeyPolicy({ account, environment, partition }: KeyPlace) {
  // A role's name is unique in the account, whatever its path, and has no slash.
  const decide = (path: string) => roleArn(deployedName(DECIDE_ROLE, environment), { account, partition, path })
  const allowed = { Effect: 'Allow', Principal: { AWS: `arn:${partition}:iam::${account}:root` }, Resource: '*' }
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'IamAdministers', Action: ADMINISTRATION, ...allowed },
      {
        Sid: 'DecideAloneSigns',
        Action: 'kms:Sign',
        ...allowed,
        Condition: { ArnLike: { 'aws:PrincipalArn': [decide('/'), decide('/*/')] } },
      },
      {
        // People count decisions too, and the public half is no secret.
        Sid: 'TheAccountVerifies',
        Action: 'kms:GetPublicKey',
        ...allowed,
        Principal: { AWS: '*' },
        Condition: { StringEquals: { 'kms:CallerAccount': account } },
      },
    ],
  }
}
