// Reads a list of the journal's index: keys only, up to a bound, with the place to continue from. The index lags behind
// its table, so callers read each record by its key, which is consistent. A long list is cut off, not refused.
import type { QueryOutput } from '@aws-sdk/client-dynamodb'
import { LISTED_INDEX, LISTED_KEY, RECORD_KEY } from '../contract/records.ts'
import type { TableClient } from './dynamo-table.ts'

interface ListedKeys {
  /** Keys of records, in the index's stable order. */
  readonly keys: readonly string[]
  /** Whether the list continues after the last key. */
  readonly isCutOff: boolean
}

interface ListPart {
  readonly limit: number
  /** Key of a record. Only keys after it are returned; the record itself need not be listed any more. */
  readonly after?: string | undefined
}

/** The journal's table, and a client that may query its index. */
export interface ListedTable {
  readonly client: Pick<TableClient, 'query'>
  readonly tableName: string
}

/** @throws SyntaxError for an answer that is no page of a list, and the client's own errors */
export async function listKeys(
  { client, tableName }: ListedTable,
  list: string,
  { limit, after }: ListPart,
): Promise<ListedKeys> {
  const keys: string[] = []
  let from: QueryOutput['LastEvaluatedKey'] =
    after === undefined ? undefined : { [RECORD_KEY]: { S: after }, [LISTED_KEY]: { S: list } }
  do {
    const page: QueryOutput = await client.query({
      TableName: tableName,
      IndexName: LISTED_INDEX,
      KeyConditionExpression: '#listed = :list',
      ExpressionAttributeNames: { '#listed': LISTED_KEY },
      ExpressionAttributeValues: { ':list': { S: list } },
      ExclusiveStartKey: from,
      // One item more than wanted shows whether the list continues.
      Limit: limit + 1 - keys.length,
    })
    // The SDK takes an empty body for an answer without fields, which would read as an empty list.
    if (page.Count === undefined) throw new SyntaxError('the page of a list does not say how many items it has')
    for (const item of page.Items ?? []) keys.push(item[RECORD_KEY]?.S ?? '')
    from = page.LastEvaluatedKey
  } while (from !== undefined && keys.length <= limit)
  return { keys: keys.slice(0, limit), isCutOff: keys.length > limit }
}
