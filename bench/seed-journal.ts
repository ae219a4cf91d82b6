// Makes the journal of a state directory, with settled and open intents and ended runs of the past two years, for the
// benchmark of the journal. Writes batches straight into the inside of dynalite, without a sync, because the steps
// would take hours.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { marshall } from '@aws-sdk/util-dynamodb'
import { IntentState, JOURNAL_TABLE, recordKey } from '../core/contract/records.ts'
import type { OpenConversion } from '../core/journal/intent.ts'
import { fieldsOfIntent } from '../core/journal/intent-record.ts'
import { chained } from '../core/journal/record-chain.ts'
import type { StoredRecord } from '../core/journal/record-store.ts'
import { declareTable } from '../core/journal/table-identity.ts'
import { fieldsOfRun, isAtEnd, type RunRecord, runOfRecord } from '../core/runs/record/run-record.ts'
import { attemptAt, CONVERSION } from '../test/helpers/intents.ts'
import { makeKeptJournal } from '../test/helpers/kept-journal.ts'

const FIXTURE = new URL('../test/unit/runs/fixtures/records.json', import.meta.url)
const SPAN_MS = 730 * 24 * 3_600_000
/** Intents that are sent and not settled, whatever the size. */
const OPEN = 20
/** One run for this many intents. */
const INTENTS_A_RUN = 5
const POLICIES = ['core', 'payout', 'arrivals']
const ROWS_AT_ONCE = 3_000

interface Row {
  readonly type: 'put'
  readonly key: string
  readonly value: object
}

/** The parts of dynalite's store and keys that are used here: it has no types. */
interface Dynalite {
  create(options: object): {
    readonly db: { open(): Promise<void>; close(): Promise<void>; batch(rows: readonly Row[], done: Done): void }
    readonly tableDb: { get(name: string, done: (error: Error | null, table: Table) => void): void }
  }
  createKey(item: object, table: Table): string
  getIndexActions(
    indexes: Table['GlobalSecondaryIndexes'],
    before: undefined,
    item: object,
    table: Table,
  ): { readonly puts: readonly { readonly index: string; readonly key: string; readonly item: object }[] }
}
type Done = (error: Error | null) => void
interface Table {
  readonly GlobalSecondaryIndexes: readonly { readonly IndexName: string }[]
}

export function settledRun(): RunRecord {
  const records: readonly StoredRecord[] = JSON.parse(readFileSync(FIXTURE, 'utf8'))
  const run = records
    .filter(({ pk }) => pk.startsWith('R#'))
    .map(runOfRecord)
    .find(isAtEnd)
  if (run === undefined) throw new TypeError('the fixture has no ended run')
  return run
}

export async function seedJournal(awsDir: string, intents: number, nowMs: number, run: RunRecord): Promise<void> {
  const begun = { at: new Date(nowMs - SPAN_MS).toISOString() }
  await makeKeptJournal(awsDir, (journal, tableId) => declareTable(journal, randomUUID, { ...begun, tableId }))
  const directory = path.join(awsDir, 'dynamodb')
  const dynalite = createRequire(import.meta.url)('dynalite/db') as Dynalite
  const store = dynalite.create({ path: directory })
  await store.db.open()
  const table = await new Promise<Table>((resolve, reject) =>
    store.tableDb.get(JOURNAL_TABLE, (error, found) => (error ? reject(error) : resolve(found))),
  )
  let rows: Row[] = []
  const flush = () =>
    new Promise<void>((resolve, reject) => store.db.batch(rows, (error) => (error ? reject(error) : resolve())))
  for (const record of recordsOf(intents, nowMs, run)) {
    const item = marshall(record, { removeUndefinedValues: true })
    rows.push({ type: 'put', key: `item-${JOURNAL_TABLE}~${dynalite.createKey(item, table)}`, value: item })
    for (const { index, key, item: value } of dynalite.getIndexActions(
      table.GlobalSecondaryIndexes,
      undefined,
      item,
      table,
    ).puts) {
      rows.push({ type: 'put', key: `index-global~${JOURNAL_TABLE}~${index}~${key}`, value })
    }
    if (rows.length < ROWS_AT_ONCE) continue
    await flush()
    rows = []
  }
  await flush()
  await store.db.close()
}

function* recordsOf(intents: number, nowMs: number, run: RunRecord): Generator<StoredRecord> {
  for (let nth = 0; nth < intents; nth += 1) {
    const atMs = nowMs - SPAN_MS + Math.floor((nth * SPAN_MS) / intents)
    yield intentRecord(nth, atMs, nth >= intents - OPEN)
    if (nth % INTENTS_A_RUN === 0) yield runRecord(nth / INTENTS_A_RUN, atMs, run)
  }
}

function intentRecord(nth: number, atMs: number, isOpen: boolean): StoredRecord {
  const intentId = `intent-${nth}`
  const isZero = !isOpen && nth % 10 === 0
  const intent: OpenConversion = {
    ...CONVERSION,
    intentId,
    paramsHash: 'ab'.repeat(32),
    createdAt: new Date(atMs).toISOString(),
    notAfter: new Date(atMs + 900_000).toISOString(),
    version: 3,
    attemptNumber: 1,
    state: isOpen ? IntentState.Armed : isZero ? IntentState.Rejected : IntentState.Done,
    attempt: { ...attemptAt(`order-${nth}`), iat: Math.floor(atMs / 1000) },
    ...(!isOpen && !isZero && { ref: `order-${nth}` }),
  }
  const pk = recordKey.intent(intent.kind, intentId)
  return chained({ ...fieldsOfIntent(intent), pk, format: 1, version: 3, stamp: 'seed' }, undefined)
}

function runRecord(nth: number, atMs: number, run: RunRecord): StoredRecord {
  const runId = `run-${nth}`
  const at = new Date(atMs).toISOString()
  const fields = fieldsOfRun({ ...run, runId, policy: POLICIES[nth % POLICIES.length] ?? 'core', startedAt: at })
  return chained({ ...fields, pk: recordKey.run(runId), format: 1, version: 3, stamp: 'seed' }, undefined)
}
