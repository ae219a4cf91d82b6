// Turns the rights to records of the journal into statements of a role. steps.ts says which function has which right.
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { LISTED_INDEX, recordKey } from '../../core/contract/records.ts'
import type { JournalAccess } from '../journal-records.ts'
import { mayDecrypt } from './own-keys.ts'

/**
 * The record with the journal's table and format. A function checks it before it uses any other record. No function
 * writes it.
 */
const IDENTITY = recordKey.journal

/**
 * Statements for a function's access. The journal's protocol uses only conditional puts and consistent reads of single
 * records. Without delete and scan, no bug can forget an intent.
 */
export function journalStatements(
  journal: ITable,
  { lists = [], reads = [], writes = [], writesNever = [] }: JournalAccess,
): readonly PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ['dynamodb:DescribeTable'], resources: [journal.tableArn] }),
    ...statement('dynamodb:GetItem', journal.tableArn, [...reads, IDENTITY]),
    ...statement('dynamodb:PutItem', journal.tableArn, writes),
    ...(writesNever.length === 0 ? [] : [denial(journal.tableArn, writesNever)]),
    ...statement('dynamodb:Query', `${journal.tableArn}/index/${LISTED_INDEX}`, lists),
    ...mayDecrypt(journal, 'journal', 'dynamodb'),
  ]
}

function denial(resource: string, keys: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.DENY,
    actions: ['dynamodb:PutItem'],
    resources: [resource],
    conditions: { 'ForAnyValue:StringLike': { 'dynamodb:LeadingKeys': [...keys] } },
  })
}

function statement(action: string, resource: string, keys: readonly string[]): readonly PolicyStatement[] {
  if (keys.length === 0) return []
  return [
    new PolicyStatement({
      actions: [action],
      resources: [resource],
      // `ForAllValues` is the only form that AWS documents for this key. Each of these requests names one key.
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [...keys] } },
    }),
  ]
}
