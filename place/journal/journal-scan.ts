// Reads stored records as they are: one by its key, or every record of one kind, such as every intent. The scan is for
// people's tools, because the functions have no permission for it.
import type { ScanOutput } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { ANY_INTENT, RECORD_KEY } from '../../core/contract/records.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { intentOfRecord } from '../../core/journal/intent-record.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { JournalTable } from '../aws/aws-address.ts'

/** A record as it is stored, with its chain. */
export async function readStored({ client, tableName }: JournalTable, key: string): Promise<StoredRecord | undefined> {
  const { Item } = await client.getItem({
    TableName: tableName,
    Key: { [RECORD_KEY]: { S: key } },
    ConsistentRead: true,
  })
  // The reader of a record checks it against its format.
  return Item && (unmarshall(Item) as StoredRecord)
}

/** Maximum pages of a scan. A page holds up to 1 MB, so these hold some hundred thousand intents. */
const MOST_PAGES = 100

export interface ScanPart {
  /** The key of a record: the scan continues behind it. */
  readonly after?: string | undefined
  /** Called with the key of the last record that was read, where more records follow. */
  readonly onCutOff: (after: string) => void
}

/**
 * Records whose key begins with one of the prefixes, in no useful order, from at most 100 pages. DynamoDB filters out
 * the others.
 */
export async function* scanPart(
  { client, tableName }: JournalTable,
  prefixes: readonly string[],
  { after, onCutOff }: ScanPart,
): AsyncGenerator<StoredRecord, void> {
  let from: ScanOutput['LastEvaluatedKey'] = after === undefined ? undefined : { [RECORD_KEY]: { S: after } }
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer: ScanOutput = await client.scan({
      TableName: tableName,
      ConsistentRead: true,
      ExclusiveStartKey: from,
      FilterExpression: prefixes.map((_, index) => `begins_with(#key, :prefix${index})`).join(' OR '),
      ExpressionAttributeNames: { '#key': RECORD_KEY },
      ExpressionAttributeValues: Object.fromEntries(prefixes.map((text, index) => [`:prefix${index}`, { S: text }])),
    })
    // The reader of a record checks it against its format.
    for (const item of answer.Items ?? []) yield unmarshall(item) as StoredRecord
    from = answer.LastEvaluatedKey
    if (from === undefined) return
  }
  onCutOff(from?.[RECORD_KEY]?.S ?? '')
}

/** Every intent of a journal that is known to be small, such as the tour's. Throws where it has more than 100 pages. */
export async function scanIntents(table: JournalTable): Promise<Intent[]> {
  const intents: Intent[] = []
  const onCutOff = () => {
    throw new Error(`the journal has more than ${MOST_PAGES} pages`)
  }
  for await (const record of scanPart(table, [ANY_INTENT], { onCutOff })) intents.push(intentOfRecord(record))
  return intents
}
