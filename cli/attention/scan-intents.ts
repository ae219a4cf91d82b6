// Reads every intent of a journal by a scan: for people's tools. Functions have no such permission.
import { type DynamoDBClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { RECORD_KEY, recordKey } from '../../core/contract/records.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { intentOfRecord } from '../../core/journal/intent-record.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'

/** Pages of up to 1 MB each, some hundred thousand intents. */
const MOST_PAGES = 100

/** Throws where the journal has more than 100 pages. */
export async function scanIntents(client: DynamoDBClient, tableName: string): Promise<Intent[]> {
  const intents: Intent[] = []
  let from: ScanCommandOutput['LastEvaluatedKey']
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer: ScanCommandOutput = await client.send(
      new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey: from }),
    )
    for (const item of answer.Items ?? []) {
      const record = unmarshall(item)
      if (String(record[RECORD_KEY]).startsWith(recordKey.intent(''))) {
        intents.push(intentOfRecord(record as StoredRecord))
      }
    }
    from = answer.LastEvaluatedKey
    if (from === undefined) return intents
  }
  throw new Error(`the journal has more than ${MOST_PAGES} pages`)
}
