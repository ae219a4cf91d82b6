// Reads the intents of a journal through the embedded DynamoDB, for the tie-out. Reads only.
import { DynamoDBClient, ScanCommand, type ScanCommandOutput } from '@aws-sdk/client-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { RECORD_KEY, recordKey } from '../../functions/contract/records.ts'
import type { JournaledIntent } from '../tie-out.ts'

/** Pages of up to 1 MB each: far beyond a journal that one machine's runs can fill. */
const MOST_PAGES = 100

export interface JournalAddress {
  readonly endpointUrl: string
  readonly tableName: string
}

export async function readIntents({ endpointUrl, tableName }: JournalAddress): Promise<JournaledIntent[]> {
  const client = new DynamoDBClient({
    endpoint: endpointUrl,
    region: 'us-east-1',
    // The embedded endpoint checks no signature; these name no role of the assembly.
    credentials: { accessKeyId: 'command-line', secretAccessKey: 'not-a-secret' },
  })
  try {
    const intents: JournaledIntent[] = []
    let from: ScanCommandOutput['LastEvaluatedKey']
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const answer: ScanCommandOutput = await client.send(
        new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey: from }),
      )
      for (const item of answer.Items ?? []) {
        const record = unmarshall(item)
        if (String(record[RECORD_KEY]).startsWith(recordKey.intent(''))) intents.push(intentOf(record))
      }
      from = answer.LastEvaluatedKey
      if (from === undefined) return intents
    }
    throw new Error(`the journal has more than ${MOST_PAGES} pages`)
  } finally {
    client.destroy()
  }
}

function intentOf({ intentId, state, ref, attempt }: Record<string, unknown>): JournaledIntent {
  const nonce = (attempt as { nonce?: unknown } | undefined)?.nonce
  return {
    intentId: String(intentId),
    state: String(state),
    ...(typeof ref === 'string' && { ref }),
    ...(typeof nonce === 'string' && { nonce }),
  }
}
