// Declares that the journal of a newly started embedded AWS is new, as at a first deployment.
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import type { EmbeddedAws } from '@sluice/embedded-aws'
import { deployedName } from '../../core/contract/deployed-names.ts'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import { declareOwnTable } from '../../place/journal/own-table.ts'

/**
 * `environment`: the deployed environment, if its names carry one. `nowMs`: the clock of the embedded AWS, if it is not
 * the host's.
 */
export async function declared(
  starting: Promise<EmbeddedAws>,
  environment?: string,
  nowMs: () => number = Date.now,
): Promise<EmbeddedAws> {
  const aws = await starting
  const { endpointUrl: endpoint, region, credentials } = aws
  // AWS refuses a signature by another clock. The SDK corrects that by itself, except on a slow machine.
  const client = new DynamoDB({ endpoint, region, credentials, systemClockOffset: nowMs() - Date.now() })
  const table = { client, tableName: deployedName(JOURNAL_TABLE, environment) }
  try {
    await declareOwnTable(table, { hasRunBefore: () => false, nowMs: nowMs() })
  } finally {
    client.destroy()
  }
  return aws
}
