// Lists intents, or runs, by the journal's index. An index lags behind its table, so it gives ids only: who
// uses one reads the record. Writes nothing.
import { type DynamoDBClient, QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { awsFault } from '../aws-fault.ts'
import { LISTED_INDEX, LISTED_KEY, RECORD_KEY } from '../contract/records.ts'
import { Defect } from '../errors.ts'

export interface IntentIndex {
  /** Ids of the intents in a list (see `listing`), at most `limit`. @throws Transient, OwnFault, Defect beyond the limit */
  list(name: string, limit: number): Promise<readonly string[]>
}

/** The beginning of a list. */
export interface Listed {
  readonly ids: readonly string[]
  /** There are more than were asked for. */
  readonly isCutOff: boolean
}

/** Ids of the intents, or the runs, in a list, at most `limit`. @throws Transient, OwnFault */
export type ListBeginning = (name: string, limit: number) => Promise<Listed>

export function createListBeginning(client: Pick<DynamoDBClient, 'send'>, tableName: string): ListBeginning {
  return async (name, limit) => {
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
      for (const item of page.Items ?? []) ids.push(idOf(item[RECORD_KEY]?.S))
      if (ids.length > limit) return { ids: ids.slice(0, limit), isCutOff: true }
      from = page.LastEvaluatedKey
    } while (from !== undefined)
    return { ids, isCutOff: false }
  }
}

/** `beginningOf`: of the journal's own table. */
export function createIntentIndex(beginningOf: ListBeginning): IntentIndex {
  return {
    async list(name, limit) {
      const { ids, isCutOff } = await beginningOf(name, limit)
      if (isCutOff) throw new Defect(`more than ${limit} intents are listed as ${name}`)
      return ids
    },
  }
}

/** Behind the kind of record: `I#` of an intent, `R#` of a run. */
function idOf(key = ''): string {
  return key.slice(key.indexOf('#') + 1)
}
