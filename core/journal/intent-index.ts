// Lists intents by the journal's index. An index lags behind its table, so it gives ids only: who
// uses one reads the record. Writes nothing.
import { type DynamoDBClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { awsFault } from '../aws-fault.ts'
import { LISTED_INDEX, LISTED_KEY, RECORD_KEY, recordKey } from '../contract/records.ts'
import { Defect } from '../errors.ts'

export interface IntentIndex {
  /** Ids of the intents in a list (see `listing`), at most `limit`. @throws Transient, OwnFault, Defect beyond the limit */
  list(name: string, limit: number): Promise<readonly string[]>
}

export function createIntentIndex(client: Pick<DynamoDBClient, 'send'>, tableName: string): IntentIndex {
  return {
    async list(name, limit) {
      const ids: string[] = []
      let from: QueryCommandOutput['LastEvaluatedKey']
      do {
        const page: QueryCommandOutput = await client
          .send(
            new QueryCommand({
              TableName: tableName,
              IndexName: LISTED_INDEX,
              KeyConditionExpression: '#listed = :name',
              ExpressionAttributeNames: { '#listed': LISTED_KEY },
              ExpressionAttributeValues: { ':name': { S: name } },
              ExclusiveStartKey: from,
              // One more than allowed tells a full list from one that is too long.
              Limit: limit + 1 - ids.length,
            }),
          )
          .catch((error: unknown) => {
            throw awsFault('the journal did not list intents', error instanceof Error ? error.name : 'unknown error')
          })
        for (const item of page.Items ?? []) ids.push(intentIdOf(item[RECORD_KEY]?.S))
        if (ids.length > limit) throw new Defect(`more than ${limit} intents are listed as ${name}`)
        from = page.LastEvaluatedKey
      } while (from !== undefined)
      return ids
    },
  }
}

function intentIdOf(key: string | undefined): string {
  return (key ?? '').slice(recordKey.intent('').length)
}
