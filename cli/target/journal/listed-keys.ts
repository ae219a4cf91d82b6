// Reads a list of the journal's index: keys only, up to a bound, and what to go on with behind it. The index lags behind
// its table, so whoever reads a list reads each record by its key, which is consistent. Nothing is thrown at a size.
import { QueryCommand, type QueryCommandOutput } from '@aws-sdk/client-dynamodb'
import { LISTED_INDEX, LISTED_KEY, RECORD_KEY } from '../../../core/contract/records.ts'
import type { JournalTable } from '../aws-address.ts'

export interface ListedKeys {
  /** Keys of records, in an order of the index that stays the same. */
  readonly keys: readonly string[]
  /** Whether there are more behind the last one. */
  readonly isCutOff: boolean
}

/** The part of a list that is read. */
export interface ListPart {
  readonly limit: number
  /** The key of a record: only what comes behind it. It need not be in the list any more. */
  readonly after?: string | undefined
}

/** Told, in words, what of a list was not looked at. */
export type OnCutOff = (message: string) => void

export async function listKeys(
  { client, tableName }: JournalTable,
  list: string,
  { limit, after }: ListPart,
): Promise<ListedKeys> {
  const keys: string[] = []
  let from: QueryCommandOutput['LastEvaluatedKey'] =
    after === undefined ? undefined : { [RECORD_KEY]: { S: after }, [LISTED_KEY]: { S: list } }
  do {
    const page: QueryCommandOutput = await client.send(
      new QueryCommand({
        TableName: tableName,
        IndexName: LISTED_INDEX,
        KeyConditionExpression: '#listed = :list',
        ExpressionAttributeNames: { '#listed': LISTED_KEY },
        ExpressionAttributeValues: { ':list': { S: list } },
        ExclusiveStartKey: from,
        // One more than wanted tells whether there are more.
        Limit: limit + 1 - keys.length,
      }),
    )
    for (const item of page.Items ?? []) keys.push(item[RECORD_KEY]?.S ?? '')
    from = page.LastEvaluatedKey
  } while (from !== undefined && keys.length <= limit)
  return { keys: keys.slice(0, limit), isCutOff: keys.length > limit }
}
