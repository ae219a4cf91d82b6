// Reads which table the journal's name currently leads to. DynamoDB gives each created or restored table a new id. It
// decides nothing. Defines the requests of the journal in the shapes of the SDK's class `DynamoDB`, so that a command
// at a desk needs no SDK.

import type {
  DescribeTableInput,
  DescribeTableOutput,
  GetItemInput,
  GetItemOutput,
  PutItemInput,
  PutItemOutput,
  QueryInput,
  QueryOutput,
} from '@aws-sdk/client-dynamodb'
import { awsFault } from '../aws-fault.ts'
import { Defect } from '../errors.ts'

interface TableFacts {
  readonly tableId: string
  readonly createdAt: Date | undefined
  /** Restored from a backup or to a point in time. DynamoDB reports this for as long as the table exists. */
  readonly isRestored: boolean
}

/** @throws Transient, OwnFault, Defect */
export async function readTableFacts(client: TableClient, tableName: string): Promise<TableFacts> {
  const { Table: table } = await client.describeTable({ TableName: tableName }).catch((error: unknown) => {
    throw awsFault("the journal's table could not be described", error)
  })
  if (table?.TableId === undefined) throw new Defect("the journal's table was described without an id")
  return { tableId: table.TableId, createdAt: table.CreationDateTime, isRestored: table.RestoreSummary !== undefined }
}

export interface TableClient {
  describeTable(input: DescribeTableInput): Promise<DescribeTableOutput>
  getItem(input: GetItemInput): Promise<GetItemOutput>
  putItem(input: PutItemInput): Promise<PutItemOutput>
  query(input: QueryInput): Promise<QueryOutput>
}
