// Reads which table the journal's name currently leads to. DynamoDB gives each created or restored table a new id. It
// decides nothing.
import { awsFault } from '../aws-fault.ts'
import { Defect } from '../errors.ts'
import type { TableClient } from './table-client.ts'

interface TableFacts {
  readonly tableId: string
  readonly createdAt: Date | undefined
  /** Restored from a backup or to a point in time. DynamoDB reports this for as long as the table exists. */
  readonly isRestored: boolean
}

/** @throws Transient, OwnFault, Defect */
export async function readTableFacts(
  client: Pick<TableClient, 'describeTable'>,
  tableName: string,
): Promise<TableFacts> {
  const { Table: table } = await client.describeTable({ TableName: tableName }).catch((error: unknown) => {
    throw awsFault("the journal's table could not be described", error)
  })
  if (table?.TableId === undefined) throw new Defect("the journal's table was described without an id")
  return { tableId: table.TableId, createdAt: table.CreationDateTime, isRestored: table.RestoreSummary !== undefined }
}
