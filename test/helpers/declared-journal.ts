// Says that the journal of an embedded AWS that a test has just started is a new one, as a first deployment's is.
import { journalTable } from '../../cli/target/journal/journal-client.ts'
import { declareOwnTable } from '../../cli/target/journal/own-table.ts'
import { deployedName } from '../../core/contract/deployed-names.ts'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import type { EmbeddedAws } from '../../embedded-aws/embedded-aws.ts'

/** `environment`: the one that is deployed there, where its names carry one. */
export async function declared(starting: Promise<EmbeddedAws>, environment?: string): Promise<EmbeddedAws> {
  const aws = await starting
  const { client } = journalTable(aws)
  const table = { client, tableName: deployedName(JOURNAL_TABLE, environment) }
  await declareOwnTable(table, { hasRunBefore: () => false, nowMs: Date.now() })
  client.destroy()
  return aws
}
