// Makes the journal of a state directory without a run: its table as the assembly declares it, and its records.
import path from 'node:path'
import { loadParts, startEmbeddedJournal } from '@sluice/embedded-aws'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { readTableFacts } from '../../core/journal/dynamo-table.ts'
import { embeddedClient } from '../../place/journal/journal-client.ts'
import { JOURNAL_DEFINITION } from './journal-table.ts'

const { DynamoDb } = await loadParts()

export async function makeKeptJournal(
  awsDir: string,
  fill: (store: ReturnType<typeof createDynamoStore>, tableId: string) => Promise<unknown>,
): Promise<void> {
  const dynamoDb = await DynamoDb.open(path.join(awsDir, 'dynamodb'), { account: '123456789012', region: 'us-east-1' })
  await dynamoDb.ensureTable(JOURNAL_DEFINITION)
  await dynamoDb.close()
  const journal = await startEmbeddedJournal(awsDir)
  if (journal === undefined) throw new TypeError('the journal was just made')
  const client = embeddedClient(journal)
  try {
    const { tableId } = await readTableFacts(client, JOURNAL_TABLE)
    await fill(createDynamoStore(client, JOURNAL_TABLE), tableId)
  } finally {
    client.destroy()
    await journal.stop()
  }
}
