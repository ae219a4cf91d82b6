// Owns what nobody may do to the journal's records, whatever their own policies allow: an intent that is forgotten may move
// money again. Who must delete one takes this policy away first (docs/runbook.md, "Deleting from the journal"), and CloudTrail
// keeps that. The table itself is guarded by its deletion protection.
import { Stack } from 'aws-cdk-lib'
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'

/** A transaction's deletes count as DeleteItem. A batch does not say which of its writes delete; nothing of ours writes any. */
const DELETES = [
  'dynamodb:DeleteItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:PartiQLDelete',
  // Records that expire are deleted.
  'dynamodb:UpdateTimeToLive',
]

/** `tableName`: as deployed. A table's own policy cannot refer to the table. */
export function journalDenials(scope: Construct, tableName: string): PolicyDocument {
  return new PolicyDocument({
    statements: [
      new PolicyStatement({
        sid: 'NothingIsForgotten',
        effect: Effect.DENY,
        principals: [new AnyPrincipal()],
        actions: DELETES,
        resources: [Stack.of(scope).formatArn({ service: 'dynamodb', resource: 'table', resourceName: tableName })],
      }),
    ],
  })
}
