// Records which table a journal is in, where no record says it yet: at a new desk, and after a first deployment. An
// empty table after executions was lost, and stays refused.
import { randomUUID } from 'node:crypto'
import { RECORD_KEY, recordKey } from '../../core/contract/records.ts'
import { OwnFault } from '../../core/errors.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { readTableFacts } from '../../core/journal/dynamo-table.ts'
import { declareTable, findAcceptedTable, otherForm } from '../../core/journal/table-identity.ts'
import type { JournalTable } from '../aws/aws-address.ts'

/** Maximum executions that are read to distinguish a new table from a lost one. More would take too long. */
export const MOST_OF_A_NEW_TABLE = 10_000

/** `unclear`: empty, and too many executions have run to see whether one is older than the table. */
type DeclaredTable = 'declared' | 'known' | 'lost' | 'unclear'

interface Asked {
  /** Whether an execution is older than a table without a record. */
  readonly hasRunBefore: (madeAt: Date | undefined) => boolean | Promise<boolean | 'unclear'>
  readonly nowMs: number
}

/**
 * The first declaration counts.
 * @throws OwnFault for a journal whose records have other keys (`JOURNAL_FORM`)
 * @throws Transient
 */
export async function declareOwnTable(table: JournalTable, { hasRunBefore, nowMs }: Asked): Promise<DeclaredTable> {
  const store = createDynamoStore(table.client, table.tableName)
  if ((await findAcceptedTable(store)) !== undefined) return 'known'
  const { tableId, createdAt, isRestored } = await readTableFacts(table.client, table.tableName)
  if (isRestored) return 'lost'
  // A new table has no such record.
  if ((await store.read(recordKey.account)) !== undefined || (await hasMoved(table))) throw otherForm(undefined)
  const hasRun = await hasRunBefore(createdAt)
  if (hasRun !== false) return hasRun === 'unclear' ? 'unclear' : 'lost'
  await declareTable(store, randomUUID, { tableId, at: new Date(nowMs).toISOString() })
  return 'declared'
}

/** A halt that a person writes into a new table does not make it a journal. Only intents, claims and runs do. */
async function hasMoved({ client, tableName }: JournalTable): Promise<boolean> {
  const { Items = [] } = await client.scan({ TableName: tableName, ConsistentRead: true })
  return Items.some((item) => /^[ICR]#/.test(item[RECORD_KEY]?.S ?? ''))
}

/** @throws OwnFault for a table that was lost, is not the journal's own, or has records with other keys */
export async function assertDeclared(table: JournalTable, asked: Asked): Promise<void> {
  const outcome = await declareOwnTable(table, asked)
  if (outcome === 'lost')
    throw new OwnFault(
      'the table was restored, or it is empty and executions have run before it was made: the journal was lost (docs/runbook.md, "The journal is lost or restored")',
    )
  if (outcome === 'unclear')
    throw new OwnFault(
      `the table is empty, and more than ${MOST_OF_A_NEW_TABLE} executions have run: whether one is older than the table was not checked, so it may be a new journal or one that was lost; a person says which: \`npx sluice journal verify --accept --limit 100000 --aws\` compares it with all of them first (docs/runbook.md, "The journal is lost or restored")`,
    )
  if (outcome !== 'known') return
  const store = createDynamoStore(table.client, table.tableName)
  const [accepted, { tableId }] = await Promise.all([
    findAcceptedTable(store),
    readTableFacts(table.client, table.tableName),
  ])
  if (accepted?.tableId === tableId) return
  throw new OwnFault(
    `the table is not the one that the journal was written in: it was restored or replaced (docs/runbook.md, "The journal is lost or restored")`,
  )
}
