// Owns the resource policy of the journal's table: what nobody may do to its records, whatever their own policies
// allow. An intent whose record is deleted may move money again. infra deploys the policy, and `sluice setup doctor
// --aws` compares the deployed one with it. Why: docs/decisions/0041. To delete anyway: docs/runbook.md, "Deleting from
// the journal".
import { roleArn } from './deployed-names.ts'

/** The role that may change the policy by hand. The account's owner creates it and decides who may use it. */
export const BREAK_GLASS_ROLE = 'sluice-break-glass'

/**
 * IAM counts deletes inside a transaction as DeleteItem. For a batch it cannot separate deletes from other writes; our
 * code writes no batches.
 */
const DELETES = [
  'dynamodb:BatchWriteItem',
  'dynamodb:DeleteItem',
  'dynamodb:PartiQLDelete',
  // A record with an expiry time is deleted.
  'dynamodb:UpdateTimeToLive',
]

const CHANGES_OF_POLICY = ['dynamodb:DeleteResourcePolicy', 'dynamodb:PutResourcePolicy']

/** Where the table is. In a template the values are references that only a deployment resolves. */
interface JournalPlace {
  readonly partition: string
  readonly region: string
  readonly account: string
  /** `aws.rolePath` of treasury.json. The role for break-glass has this path too. */
  readonly rolePath: string | undefined
  /** ARNs of other roles that deploy. Absent: none. */
  readonly deployRoles?: readonly string[] | undefined
  readonly table: string
  readonly named: (name: string) => string
}

export interface PolicyStatement {
  readonly Sid: string
  readonly Effect: 'Deny'
  readonly Principal: { readonly AWS: '*' }
  readonly Action: readonly string[]
  readonly Resource: string
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

export interface JournalPolicy {
  readonly Version: '2012-10-17'
  readonly Statement: readonly PolicyStatement[]
}

/** Returns the resource policy of the journal's table. A table's own policy in a template cannot refer to the table. */
export function journalPolicy({
  account,
  deployRoles = [],
  named,
  partition,
  region,
  rolePath,
  table: name,
}: JournalPlace): JournalPolicy {
  const table = `arn:${partition}:dynamodb:${region}:${account}:table/${name}`
  const role = (name: string, path = rolePath) => roleArn(name, { account, partition, path })
  const deploys = `cdk-*-cfn-exec-role-${account}-${region}`
  const everybody = { Effect: 'Deny', Principal: { AWS: '*' }, Resource: table } as const
  const mayChange = [
    // The deployment role of CloudFormation, which `cdk bootstrap` creates under any qualifier. Without it no
    // deployment could change the table. `cdk bootstrap` gives it no path, and a bootstrap of the company's own may.
    ...new Set([role(deploys, '/'), role(deploys), ...deployRoles]),
    role(named(BREAK_GLASS_ROLE)),
  ]
  return {
    Version: '2012-10-17',
    Statement: [
      { Sid: 'NothingIsForgotten', Action: DELETES, ...everybody },
      {
        Sid: 'ThePolicyStays',
        Action: CHANGES_OF_POLICY,
        Condition: { ArnNotLike: { 'aws:PrincipalArn': mayChange } },
        ...everybody,
      },
    ],
  }
}
