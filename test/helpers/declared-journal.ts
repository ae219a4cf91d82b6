// Says that the journal of an embedded AWS that a test has just started is a new one, as a first deployment's is.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { EmbeddedAws } from '@sluice/embedded-aws'
import { deployedName } from '../../core/contract/deployed-names.ts'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import { declareOwnTable } from '../../operations/connection/journal/own-table.ts'

/** `environment`: the one that is deployed there, where its names carry one. `nowMs`: by its clock, where that is not the host's. */
export async function declared(
  starting: Promise<EmbeddedAws>,
  environment?: string,
  nowMs: () => number = Date.now,
): Promise<EmbeddedAws> {
  const aws = await starting
  const { endpointUrl: endpoint, region, credentials } = aws
  // What is signed by another clock is refused. The SDK mends that by itself, but not on a machine that is slow between.
  const client = new DynamoDBClient({ endpoint, region, credentials, systemClockOffset: nowMs() - Date.now() })
  const table = { client, tableName: deployedName(JOURNAL_TABLE, environment) }
  try {
    await declareOwnTable(table, { hasRunBefore: () => false, nowMs: nowMs() })
  } finally {
    client.destroy()
  }
  return aws
}
