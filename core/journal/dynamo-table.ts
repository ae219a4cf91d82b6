// Which table the journal's name leads to at the moment. DynamoDB gives a new id to each table that is made or restored.
// It decides nothing about it.
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { awsFault } from '../aws-fault.ts'
import { Defect } from '../errors.ts'

export interface TableFacts {
  readonly tableId: string
  /** When it was made or restored. */
  readonly createdAt: Date | undefined
  /** It was made from a backup or to a point in time, and not as a new one. DynamoDB tells so for as long as it exists. */
  readonly isRestored: boolean
}

/** @throws Transient, OwnFault, Defect */
export async function readTableFacts(client: Pick<DynamoDBClient, 'send'>, tableName: string): Promise<TableFacts> {
  const { Table: table } = await client
    .send(new DescribeTableCommand({ TableName: tableName }))
    .catch((error: unknown) => {
      throw awsFault("the journal's table did not say which it is", error)
    })
  if (table?.TableId === undefined) throw new Defect("the journal's table was described without an id")
  return { tableId: table.TableId, createdAt: table.CreationDateTime, isRestored: table.RestoreSummary !== undefined }
}
