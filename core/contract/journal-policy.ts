// Owns the resource policy of the journal's table: what nobody may do to its records, whatever their own policies
// allow. An intent that is forgotten may move money again. infra deploys it, and `sluice setup doctor --aws` holds the
// deployed one against it. Why: docs/decisions/0041. The way out: docs/runbook.md, "Deleting from the journal".
import { JOURNAL_TABLE } from './records.ts'

/** The role that may change the policy by hand. An account makes it, for whom it trusts. */
export const BREAK_GLASS_ROLE = 'sluice-break-glass'

/** A transaction's deletes count as DeleteItem. A batch does not say which of its writes delete; nothing of ours writes any. */
const DELETES = [
  'dynamodb:BatchWriteItem',
  'dynamodb:DeleteItem',
  'dynamodb:PartiQLDelete',
  // Records that expire are deleted.
  'dynamodb:UpdateTimeToLive',
]

const CHANGES_OF_POLICY = ['dynamodb:DeleteResourcePolicy', 'dynamodb:PutResourcePolicy']

/** Where the table is. In a template these are its references to what only a deployment knows. */
export interface JournalPlace {
  readonly partition: string
  readonly region: string
  readonly account: string
  /** What a resource of ours is called there. */
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

/** A policy document of IAM. */
export interface JournalPolicy {
  readonly Version: '2012-10-17'
  readonly Statement: readonly PolicyStatement[]
}

/** The policy of the journal's table there. A table's own policy cannot refer to the table. */
export function journalPolicy({ account, named, partition, region }: JournalPlace): JournalPolicy {
  const table = `arn:${partition}:dynamodb:${region}:${account}:table/${named(JOURNAL_TABLE)}`
  const role = (name: string) => `arn:${partition}:iam::${account}:role/${name}`
  const everybody = { Effect: 'Deny', Principal: { AWS: '*' }, Resource: table } as const
  const mayChange = [
    // CloudFormation's, in an account that `cdk bootstrap` has prepared, with any qualifier: without it no deployment could
    // change the table.
    role(`cdk-*-cfn-exec-role-${account}-${region}`),
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
