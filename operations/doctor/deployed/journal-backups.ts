// Checks whether the journal's table can be restored to any moment. Reads only.

import { DescribeContinuousBackupsCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { clientConfigAt, deploymentOf, journalAt } from '../../../place/aws/aws-address.ts'
import { type Check, fail, notKnown, ok, warn } from '../check.ts'

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
    return warn(CHECK, detail, 'npm run deploy: the state stack switches it on')
  } catch (error) {
    return notKnown(CHECK, error, 'let these credentials call dynamodb:DescribeContinuousBackups')
  } finally {
    client.destroy()
  }
}
