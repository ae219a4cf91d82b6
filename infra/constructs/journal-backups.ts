// Owns the journal's daily backups, in addition to its point-in-time recovery. They go into their own vault, and are
// copied to a second region if treasury.json names one. A table restored from a backup is refused until it is verified
// (docs/runbook.md, "The journal is lost or restored").
import { ArnFormat, Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib'
import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup'
import { type CfnTable, type ITable, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Schedule } from 'aws-cdk-lib/aws-events'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'
import { backupVault } from '../../core/contract/deployed-names.ts'
import { nameIn } from './deployed-name.ts'
import { ownKeyArn, underOwnKey } from './own-keys.ts'
import { setAside } from './set-aside.ts'

/** A year, for a deleted table and for yearly audits. Point-in-time recovery covers only 35 days. */
const KEPT = Duration.days(365)

export interface JournalBackupsProps {
  readonly journal: ITable
  /** Region of the copies; its vault is created by hand, once. Absent: no copies. */
  readonly copyRegion: string | undefined
  readonly removalPolicy: RemovalPolicy
}

export class JournalBackups extends Construct {
  constructor(scope: Construct, id: string, { copyRegion, journal, removalPolicy }: JournalBackupsProps) {
    super(scope, id)
    const key = ownKeyArn(this, 'journal')
    // Another key needs another vault, and the old vault stays with its backups. Under one id it would be replaced.
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
    if (copies !== undefined && copyRegion !== undefined) this.grantCopies(role, journal, { copies, copyRegion })
    this.grantKeys(role)
    plan.addSelection('Journal', {
      backupSelectionName: 'journal',
      resources: [BackupResource.fromDynamoDbTable(journal)],
      role,
      disableDefaultBackupPolicy: true,
    })
  }

  /** ARN of a vault, built from its name; in this region by default. */
  private vaultArn(key: string | undefined, region?: string): string {
    return Stack.of(this).formatArn({
      service: 'backup',
      ...(region !== undefined && { region }),
      resource: 'backup-vault',
      resourceName: nameIn(this, backupVault(key)),
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    })
  }

  /**
   * Declares the role of AWS Backup. From AWS's own policy it has the permissions to back up this table and copy the
   * backup, and none to restore.
   */
  private declareRole(journal: ITable, vaultArns: readonly string[]): Role {
    const role = new Role(this, 'Role', {
      description: 'By which AWS Backup reads the journal. It restores nothing.',
      // AWS Backup sends the account. AWS does not document which plan it sends.
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
    setAside(role, {
      id: `AwsSolutions-IAM5[Resource::${this.shownArn(journal)}/backup/*]`,
      reason: 'Backups of this one table get their names from DynamoDB, when they are made.',
    })
    return role
  }

  /** The ARN as cdk-nag shows it. A table of the account's own has no resource here, and is known by its name. */
  private shownArn(journal: ITable): string {
    if (!(journal instanceof Table))
      return `arn:<AWS::Partition>:dynamodb:<AWS::Region>:<AWS::AccountId>:table/${journal.tableName}`
    // The table's own resource is its default child.
    const { logicalId } = journal.node.defaultChild as CfnTable
    return `<${Stack.of(this).resolve(logicalId)}.Arn>`
  }

  /**
   * Lets the role copy recovery points into the vault of the other region, and into no other vault. AWS Backup asks for
   * this permission on the recovery point: on its own kind, or on a backup of the table.
   * Source: Service Authorization Reference, "Actions, resources, and condition keys for AWS Backup"; AWS's policy
   * AWSBackupServiceRolePolicyForBackup (BackupVaultCopyPermissions, RecoveryPointTaggingPermissions).
   */
  private grantCopies(
    role: Role,
    journal: ITable,
    { copies, copyRegion }: { readonly copies: string; readonly copyRegion: string },
  ): void {
    const here = this.recoveryPoints()
    role.addToPolicy(
      new PolicyStatement({
        actions: ['backup:CopyFromBackupVault'],
        resources: [here, `${journal.tableArn}/backup/*`],
        conditions: { 'ForAllValues:ArnEquals': { 'backup:CopyTargets': [copies] } },
      }),
    )
    // A copy takes over the tags of its recovery point.
    const both = [here, this.recoveryPoints(copyRegion)]
    role.addToPolicy(new PolicyStatement({ actions: ['backup:TagResource'], resources: both }))
    for (const region of ['<AWS::Region>', copyRegion]) {
      setAside(role, {
        id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:backup:${region}:<AWS::AccountId>:recovery-point:*]`,
        reason: 'AWS Backup names recovery points when it makes them. Only the vault of the copies may receive them.',
      })
    }
  }

  /** All recovery points of this account; in this region by default. */
  private recoveryPoints(region?: string): string {
    return Stack.of(this).formatArn({
      service: 'backup',
      ...(region !== undefined && { region }),
      resource: 'recovery-point',
      resourceName: '*',
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    })
  }

  /**
   * Lets the role use our keys. A backup is read with the table's key and written with the vault's key. A copy is read
   * and written with the keys of both vaults.
   */
  private grantKeys(role: Role): void {
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
