// Backups of the journal besides its point-in-time recovery: one a day into a vault of its own, and where treasury.json
// names a second region, a copy of each there. A table that is restored from one is refused until it is verified
// (docs/runbook.md, "The journal is lost or restored").
import { ArnFormat, Duration, type RemovalPolicy, Stack, Validations } from 'aws-cdk-lib'
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup'
import type { CfnTable, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Schedule } from 'aws-cdk-lib/aws-events'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { backupVault } from '../../core/contract/deployed-names.ts'
import { nameIn } from './deployed-name.ts'
import { ownKeyArn, underOwnKey } from './own-keys.ts'

/** Point-in-time recovery reaches back 35 days; a backup is there for a table that was deleted, and for an audit of the year. */
const KEPT = Duration.days(365)

export interface JournalBackupsProps {
  readonly journal: Table
  /** The region that copies go to; its vault is made by hand, once. Absent: none. */
  readonly copyRegion: string | undefined
  readonly removalPolicy: RemovalPolicy
}

export class JournalBackups extends Construct {
  constructor(scope: Construct, id: string, { copyRegion, journal, removalPolicy }: JournalBackupsProps) {
    super(scope, id)
    const key = ownKeyArn(this, 'journal')
    // Another key is another resource, and the vault before stays with its backups: under one id it would be replaced.
    const vault = new BackupVault(this, key === undefined ? 'Vault' : `Vault${key.slice(-8)}`, {
      backupVaultName: nameIn(this, backupVault(key)),
      removalPolicy,
      ...underOwnKey(this, 'journal'),
    })
    const copies = copyRegion === undefined ? undefined : this.vaultArn(ownKeyArn(this, 'copies'), copyRegion)
    const plan = new BackupPlan(this, 'Plan', {
      backupPlanName: nameIn(this, backupVault(undefined)),
      backupVault: vault,
    })
    plan.addRule(
      new BackupPlanRule({
        ruleName: 'daily',
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        deleteAfter: KEPT,
        ...(copies !== undefined && {
          copyActions: [
            { destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Copies', copies), deleteAfter: KEPT },
          ],
        }),
      }),
    )
    const role = this.declareRole(journal, [this.vaultArn(key), ...(copies === undefined ? [] : [copies])])
    this.letUseKeys(role)
    plan.addSelection('Journal', {
      backupSelectionName: 'journal',
      resources: [BackupResource.fromDynamoDbTable(journal)],
      role,
      disableDefaultBackupPolicy: true,
    })
  }

  /** By its name, in this region unless another is given. */
  private vaultArn(key: string | undefined, region?: string): string {
    return Stack.of(this).formatArn({
      service: 'backup',
      ...(region !== undefined && { region }),
      resource: 'backup-vault',
      resourceName: nameIn(this, backupVault(key)),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    })
  }

  /** Of AWS's own policy for AWS Backup, what a backup of this table and its copy need, and no restore. */
  private declareRole(journal: Table, vaultArns: readonly string[]): Role {
    const role = new Role(this, 'Role', {
      description: 'By which AWS Backup reads the journal. It restores nothing.',
      // AWS Backup says the account; which plan it says is not documented.
      assumedBy: new ServicePrincipal('backup.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    })
    const backups = `${journal.tableArn}/backup/*`
    role.addToPolicy(
      new PolicyStatement({
        actions: [
          'dynamodb:DescribeTable',
          'dynamodb:CreateBackup',
          'dynamodb:StartAwsBackupJob',
          'dynamodb:ListTagsOfResource',
        ],
        resources: [journal.tableArn],
      }),
    )
    role.addToPolicy(
      new PolicyStatement({ actions: ['dynamodb:DescribeBackup', 'dynamodb:DeleteBackup'], resources: [backups] }),
    )
    role.addToPolicy(
      new PolicyStatement({
        actions: ['backup:DescribeBackupVault', 'backup:CopyIntoBackupVault'],
        resources: [...vaultArns],
      }),
    )
    // A table's own resource is its default child.
    const { logicalId } = journal.node.defaultChild as CfnTable
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::<${Stack.of(this).resolve(logicalId)}.Arn>/backup/*]`,
      reason: 'Backups of this one table get their names from DynamoDB, when they are made.',
    })
    return role
  }

  /** A backup is read under the key of the table, and written under that of its vault; so is a copy, from vault to vault. */
  private letUseKeys(role: Role): void {
    const resources = (['journal', 'copies'] as const).flatMap((what) => ownKeyArn(this, what) ?? [])
    if (resources.length === 0) return
    role.addToPolicy(
      new PolicyStatement({
        actions: [
          'kms:Decrypt',
          'kms:DescribeKey',
          'kms:Encrypt',
          'kms:GenerateDataKey',
          'kms:ReEncryptFrom',
          'kms:ReEncryptTo',
        ],
        resources,
      }),
    )
    role.addToPolicy(
      new PolicyStatement({
        actions: ['kms:CreateGrant'],
        resources,
        conditions: { Bool: { 'kms:GrantIsForAWSResource': 'true' } },
      }),
    )
  }
}
