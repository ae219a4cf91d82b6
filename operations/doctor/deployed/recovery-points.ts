// Checks the age of the newest recovery point of the journal in its vault, and in the vault of journal.copyRegion, and
// whether the table can be restored to any moment. A failed job rings an alarm; a job that never started shows only
// here. Reads only.

import {
  BackupClient,
  DescribeBackupVaultCommand,
  ListRecoveryPointsByBackupVaultCommand,
  type RecoveryPointByBackupVault,
} from '@aws-sdk/client-backup'
import { DescribeContinuousBackupsCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { backupVault } from '../../../core/contract/deployed-names.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { clientConfigAt, deploymentOf, journalAt, nameAt } from '../../../place/aws/aws-address.ts'
import { advice, DEPLOY } from '../../../place/next-step.ts'
import { type Check, fail, notKnown, ok, warn } from '../check.ts'

const HOUR_MS = 3_600_000
/** Hours: one between two daily backups, and half a day in which AWS Backup may start, finish and copy. */
const MOST_HOURS = 36
/** Days that are searched. With a backup a day, one page holds them. */
const SEARCHED_DAYS = 14
const PAGE = 1_000

interface Vault {
  readonly check: string
  readonly name: string
  /** Undefined: the region of the deployment. */
  readonly region: string | undefined
}

export async function recoveryPointChecks(
  treasury: Pick<Treasury, 'aws' | 'encryption' | 'environment' | 'journal'>,
  nowMs: number,
): Promise<readonly Check[]> {
  const { encryption, journal } = treasury
  const deployment = deploymentOf(treasury)
  const nameOf = (key: string | undefined) => nameAt(deployment, backupVault(key))
  const copyRegion = journal?.copyRegion
  const vaults: readonly Vault[] = [
    { check: 'recovery points', name: nameOf(encryption?.journal), region: undefined },
    ...(copyRegion === undefined
      ? []
      : [{ check: `recovery points in ${copyRegion}`, name: nameOf(encryption?.copies), region: copyRegion }]),
  ]
  return Promise.all(vaults.map((vault) => vaultCheck(vault, journalAt(deployment), nowMs)))
}

async function vaultCheck({ check, name, region }: Vault, table: string, nowMs: number): Promise<Check> {
  const client = new BackupClient({
    ...requestLimits(AWS_LIMITS),
    ...(region !== undefined && { region }),
  })
  try {
    const { RecoveryPoints: found = [] } = await client.send(
      new ListRecoveryPointsByBackupVaultCommand({
        BackupVaultName: name,
        ByCreatedAfter: new Date(nowMs - SEARCHED_DAYS * 24 * HOUR_MS),
        MaxResults: PAGE,
      }),
    )
    const newestMs = Math.max(...found.filter((point) => isUsable(point, table)).map(createdMs))
    const hours = Math.floor((nowMs - newestMs) / HOUR_MS)
    if (hours <= MOST_HOURS) return ok(check, `the newest in ${name} is ${hours} h old`)
    const jobs = { do: 'call-aws', call: 'backup list-backup-jobs', options: { 'by-backup-vault-name': name } } as const
    const next = advice`docs/runbook.md#sluice-backup-failed; ${jobs}`
    if (Number.isFinite(hours))
      return warn(check, `the newest in ${name} is ${hours} h old: a backup is made each day`, next)
    const vault = await client.send(new DescribeBackupVaultCommand({ BackupVaultName: name }))
    const ageHours = Math.floor((nowMs - createdMs(vault)) / HOUR_MS)
    return ageHours <= MOST_HOURS
      ? ok(check, `none yet in ${name}, which is ${ageHours} h old: a backup is made each day at 03:00 UTC`)
      : warn(check, `none in ${name} from the last ${SEARCHED_DAYS} days`, next)
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') {
      const options = { 'backup-vault-name': name, region }
      const make = { do: 'call-aws', call: 'backup create-backup-vault', options } as const
      return warn(check, `there is no vault ${name}`, region === undefined ? DEPLOY : make)
    }
    return notKnown(
      check,
      error,
      'let these credentials call backup:ListRecoveryPointsByBackupVault and DescribeBackupVault',
    )
  } finally {
    client.destroy()
  }
}

function isUsable({ ResourceArn: arn = '', Status: status }: RecoveryPointByBackupVault, table: string): boolean {
  return status === 'COMPLETED' && arn.endsWith(`:table/${table}`)
}

function createdMs({ CreationDate: created }: { readonly CreationDate?: Date | undefined }): number {
  return created?.getTime() ?? Number.NEGATIVE_INFINITY
}

const CHECK = 'journal backups'

export async function journalBackupsCheck(treasury: Pick<Treasury, 'aws' | 'environment'>): Promise<Check> {
  const deployment = deploymentOf(treasury)
  const client = new DynamoDBClient(clientConfigAt(deployment))
  const tableName = journalAt(deployment)
  try {
    const { ContinuousBackupsDescription: backups } = await client.send(
      new DescribeContinuousBackupsCommand({ TableName: tableName }),
    )
    const { PointInTimeRecoveryStatus: status, RecoveryPeriodInDays: days } =
      backups?.PointInTimeRecoveryDescription ?? {}
    if (status === 'ENABLED')
      return ok(CHECK, `point-in-time recovery is on${days === undefined ? '' : `, ${days} days`}`)
    const detail = `point-in-time recovery of ${tableName} is off: what is lost or damaged there cannot be brought back`
    if (deployment.given.journal !== undefined)
      return fail(CHECK, detail, 'switch it on: aws dynamodb update-continuous-backups')
    return warn(CHECK, detail, advice`${DEPLOY}: the state stack switches it on`)
  } catch (error) {
    return notKnown(CHECK, error, 'let these credentials call dynamodb:DescribeContinuousBackups')
  } finally {
    client.destroy()
  }
}
