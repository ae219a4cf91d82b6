// Wraps the inside of dynalite (pinned to 4.0.0) without its HTTP server: store, validations and actions, with types
// for what is used. Without the server, the gateway decides about answers, and an error of the store reaches this code
// instead of the process.
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { type Disk, DURABLE } from '../disk.ts'
import { assertOwnFiles } from '../own-file.ts'
import { GroupCommit, type LevelBatch, type LevelWrite } from './group-commit.ts'
import { assertLogsWhole } from './level-log.ts'

export interface DynaliteIndex {
  IndexName: string
  IndexStatus: string
}

export interface DynaliteTable {
  TableName: string
  TableId?: string
  TableStatus: string
  TableArn: string
  AttributeDefinitions: unknown
  GlobalSecondaryIndexes?: DynaliteIndex[]
}

type Callback<T> = (error: (Error & { statusCode?: number; body?: DynaliteErrorBody }) | null, value: T) => void

export interface DynaliteErrorBody {
  readonly __type: string
  readonly message?: string
  readonly Message?: string
}

/** dynalite's Level. Its own methods use callbacks; those of its prototype are Level's. */
interface DynaliteLevel {
  open(): Promise<void>
  close(): Promise<void>
  get(key: string, callback: Callback<unknown>): void
  put(key: string, value: unknown, callback: Callback<void>): void
  del(key: string, callback: Callback<void>): void
  batch(writes: readonly LevelWrite[], callback: Callback<void>): void
}

/** The rows of one index, or the items of a table, with relative keys. */
interface DynalitePart {
  batch(writes: readonly LevelWrite[], callback: Callback<void>): void
  createValueStream(range: object): AsyncIterable<object>
}

/** Keys of the whole database, with their prefixes. */
interface KeyRange {
  readonly gte?: string
  readonly lt?: string
}

interface DynaliteStore {
  getItemDb(tableName: string): DynalitePart
  getIndexDb(type: 'Global', tableName: string, indexName: string): DynalitePart
  readonly db: DynaliteLevel
  readonly tableDb: {
    awsAccountId: string
    awsRegion: string
    /** Streams the names of tables. It reads every key of the database within the range, of items too. */
    createKeyStream(range: KeyRange): unknown
    get(key: string, callback: Callback<DynaliteTable | undefined>): void
    put(key: string, table: DynaliteTable, callback: Callback<void>): void
  }
}

interface Validation {
  readonly types: unknown
  readonly custom: unknown
}

type Action = (store: DynaliteStore, body: unknown, callback: Callback<unknown>) => void

const require = createRequire(import.meta.url)
// dynalite has no types, so this file declares them.
const { create, getIndexActions } = require('dynalite/db') as {
  create(options: object): DynaliteStore
  /** Returns the changes of indexes when `item` replaces `existing`. */
  getIndexActions(
    indexes: readonly DynaliteIndex[],
    existing: object | undefined,
    item: object,
    table: DynaliteTable,
  ): { readonly puts: readonly { readonly key: string; readonly item: object }[] }
}
const checks = require('dynalite/validations') as {
  checkTypes(body: unknown, types: unknown): unknown
  checkValidations(body: unknown, types: unknown, custom: unknown, store: DynaliteStore): void
}

/** An error answer of DynamoDB. */
export class DynaliteRefusal extends Error {
  override readonly name = 'DynaliteRefusal'
  readonly status: number
  readonly body: DynaliteErrorBody

  constructor(status: number, body: DynaliteErrorBody) {
    super(body.message ?? body.Message ?? body.__type)
    this.status = status
    this.body = body
  }
}

/**
 * Opens the store at a directory. `tableDelayMs`: how long a new table stays CREATING. Rejects with a cause of code
 * LEVEL_LOCKED when another process has it open, and for a damaged log.
 */
export async function openStore(
  directory: string,
  { account, region }: { readonly account: string; readonly region: string },
  disk: Disk = DURABLE,
  tableDelayMs = 0,
): Promise<DynaliteDatabase> {
  assertOwnFiles(directory)
  assertLogsWhole(directory)
  closeToOthers()
  let store: DynaliteStore
  try {
    if (!existsSync(directory)) await makeWhole(directory, disk)
    store = create({ path: directory, createTableMs: tableDelayMs })
    await store.db.open()
  } catch (error) {
    reopenToOthers()
    throw error
  }
  readAtOnce(store.db)
  listOnlyTables(store.tableDb)
  store.tableDb.awsAccountId = account
  store.tableDb.awsRegion = region
  return new DynaliteDatabase(store, disk.isDurable ? commitInGroups(store.db, directory, disk) : undefined)
}

/**
 * Creates an empty database beside its place, and gives it its name once it is on disk. LevelDB names a new list of files
 * before it is on disk, so a power cut would leave a database that cannot be opened.
 */
async function makeWhole(directory: string, disk: Disk): Promise<void> {
  const draft = `${directory}.new`
  rmSync(draft, { recursive: true, force: true })
  disk.makeFolder(draft)
  const { db } = create({ path: draft })
  await db.open()
  await db.close()
  for (const name of readdirSync(draft)) disk.sync(path.join(draft, name))
  disk.sync(draft)
  disk.move(draft, directory)
}

/**
 * Reads synchronously. A read takes microseconds, because recent data is in memory and the rest in the page cache.
 * Another thread would take ten times as long, and each item needs two reads, because its table is read too.
 */
function readAtOnce(db: DynaliteLevel): void {
  const { getSync } = Object.getPrototypeOf(db) as { getSync(key: string): unknown }
  db.get = (key, callback) => {
    let value: unknown
    try {
      value = getSync.call(db, key)
    } catch (error) {
      // `getSync` throws only errors.
      process.nextTick(callback, error as Error, undefined)
      return
    }
    process.nextTick(callback, null, value)
  }
}

/** Keys of tables in the whole database: `table~NAME`. A name has ASCII letters, digits, `_`, `-` and `.` only. */
const TABLES: KeyRange = { gte: 'table~', lt: 'table~\u007f' }

/** Keeps ListTables to the keys of tables. dynalite reads the keys of all items and index rows, and drops them. */
function listOnlyTables(tableDb: DynaliteStore['tableDb']): void {
  const { createKeyStream } = tableDb
  tableDb.createKeyStream = () => createKeyStream(TABLES)
}

/** Number of open databases. LevelDB creates files at any time with the process's default mode. */
let openCount = 0
let usualMask = 0

/** While a database is open, new files of this process are for its owner only. */
function closeToOthers(): void {
  openCount += 1
  // Threads may not change the umask.
  if (openCount === 1 && isMainThread) usualMask = process.umask(0o077)
}

function reopenToOthers(): void {
  openCount -= 1
  if (openCount === 0 && isMainThread) process.umask(usualMask)
}

/** Prefix of the keys of index rows. */
const INDEX_ROW = 'index-'

/** Replaces the three methods through which dynalite writes, because they take no options. */
function commitInGroups(db: DynaliteLevel, directory: string, disk: Disk): GroupCommit {
  // The class's own method, which the assignments below do not change.
  const { batch } = Object.getPrototypeOf(db) as { batch: LevelBatch }
  const commits = new GroupCommit(directory, batch.bind(db), disk)
  const write = (writes: readonly LevelWrite[], callback: Callback<void>) => {
    // Leaves the promise first, so that an error of the callback is not lost in it.
    commits.write(writes).then(
      () => setImmediate(callback, null, undefined),
      (error: Error) => setImmediate(callback, error, undefined),
    )
  }
  const writeOne = (single: LevelWrite, callback: Callback<void>) => {
    if (!single.key.startsWith(INDEX_ROW)) {
      write([single], callback)
      return
    }
    // The index rows of an item are written before the item, and only the item's write is answered. One sync covers
    // all.
    commits.ahead(single)
    setImmediate(callback, null, undefined)
  }
  db.put = (key, value, callback) => writeOne({ type: 'put', key, value }, callback)
  db.del = (key, callback) => writeOne({ type: 'del', key }, callback)
  db.batch = write
  return commits
}

export class DynaliteDatabase {
  readonly #store: DynaliteStore
  readonly #commits: GroupCommit | undefined
  #isClosed = false

  constructor(store: DynaliteStore, commits: GroupCommit | undefined) {
    this.#store = store
    this.#commits = commits
  }

  /** Rejects with DynaliteRefusal for everything that DynamoDB would answer with an error. */
  perform(operation: string, body: unknown): Promise<unknown> {
    const file = `${operation.charAt(0).toLowerCase()}${operation.slice(1)}`
    const action = require(`dynalite/actions/${file}`) as Action
    const { types, custom } = require(`dynalite/validations/${file}`) as Validation
    return new Promise((resolve, reject) => {
      try {
        const checked = checks.checkTypes(body, types)
        checks.checkValidations(checked, types, custom, this.#store)
        action(this.#store, checked, (error, value) => (error ? reject(refusalOf(error)) : resolve(value)))
      } catch (error) {
        // dynalite throws only errors.
        reject(refusalOf(error as Error))
      }
    })
  }

  /**
   * Finishes a table that a killed process left half created. dynalite marks a table active from a timer, which ended
   * with that process. The table is empty, because it was not usable yet.
   */
  async finishCreation(name: string): Promise<void> {
    const table = await this.#table(name)
    if (table === undefined || table.TableStatus !== 'CREATING') return
    table.TableStatus = 'ACTIVE'
    for (const index of table.GlobalSecondaryIndexes ?? []) index.IndexStatus = 'ACTIVE'
    await this.#putTable(name, table)
  }

  /**
   * Adds an index to a table with items, as UpdateTable does, and fills it. Nobody else may write before this resolves.
   * If the process is killed meanwhile, the index stays CREATING on disk; calling this again overwrites its rows with
   * the same content. `attributes`: AttributeDefinitions of the whole table.
   */
  async addIndex(name: string, definition: Readonly<Record<string, unknown>>, attributes: unknown): Promise<void> {
    const table = await this.#table(name)
    if (table === undefined) throw new Error(`there is no table ${name}`)
    const indexName = String(definition.IndexName)
    const index = {
      ...definition,
      IndexName: indexName,
      IndexArn: `${table.TableArn}/index/${indexName}`,
      IndexSizeBytes: 0,
      ItemCount: 0,
      IndexStatus: 'CREATING',
      ProvisionedThroughput: { ReadCapacityUnits: 0, WriteCapacityUnits: 0, NumberOfDecreasesToday: 0 },
    }
    const others = (table.GlobalSecondaryIndexes ?? []).filter(({ IndexName }) => IndexName !== indexName)
    const creating = { ...table, AttributeDefinitions: attributes, GlobalSecondaryIndexes: [...others, index] }
    await this.#putTable(name, creating)
    await this.#backfill(index, creating)
    await this.#putTable(name, {
      ...creating,
      GlobalSecondaryIndexes: [...others, { ...index, IndexStatus: 'ACTIVE' }],
    })
  }

  /** Returns CREATING or ACTIVE; undefined when the index does not exist. */
  async indexStatus(tableName: string, indexName: string): Promise<string | undefined> {
    const table = await this.#table(tableName)
    return table?.GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === indexName)?.IndexStatus
  }

  async #backfill(index: DynaliteIndex, table: DynaliteTable): Promise<void> {
    const rows = this.#store.getIndexDb('Global', table.TableName, index.IndexName)
    let writes: LevelWrite[] = []
    const flush = async () => {
      const batch = writes
      writes = []
      if (batch.length > 0) await done((callback) => rows.batch(batch, callback))
    }
    for await (const item of this.#store.getItemDb(table.TableName).createValueStream({})) {
      const { puts } = getIndexActions([index], undefined, item, table)
      for (const { key, item: value } of puts) writes.push({ type: 'put', key, value })
      if (writes.length >= ROWS_AT_ONCE) await flush()
    }
    await flush()
  }

  #putTable(name: string, table: DynaliteTable): Promise<void> {
    return done((callback) => this.#store.tableDb.put(name, table, callback))
  }

  /** Reads the mark of the last opening (dynamodb.ts reads it). */
  mark(): Promise<string | undefined> {
    return new Promise((resolve, reject) =>
      this.#store.db.get(MARK, (error, mark) => {
        if (error && error.name !== 'NotFoundError' && !('notFound' in error)) reject(error)
        else resolve(typeof mark === 'string' ? mark : undefined)
      }),
    )
  }

  setMark(mark: string): Promise<void> {
    return done((callback) => this.#store.db.put(MARK, mark, callback))
  }

  async renameTables(): Promise<void> {
    const { TableNames } = (await this.perform('ListTables', {})) as { readonly TableNames: readonly string[] }
    for (const name of TableNames) {
      const table = await this.#table(name)
      if (table !== undefined) await this.#putTable(name, { ...table, TableId: randomUUID() })
    }
  }

  async close(): Promise<void> {
    try {
      await this.#commits?.untilIdle()
      await this.#store.db.close()
    } finally {
      if (!this.#isClosed) reopenToOthers()
      this.#isClosed = true
    }
  }

  #table(name: string): Promise<DynaliteTable | undefined> {
    return new Promise((resolve, reject) =>
      this.#store.tableDb.get(name, (error, table) => (error ? reject(error) : resolve(table))),
    )
  }
}

/** Key of the mark. No key of the database's parts begins like this. */
const MARK = 'opened'

/** Rows that one batch writes while an index is filled. */
const ROWS_AT_ONCE = 1_000

function done(act: (callback: Callback<void>) => void): Promise<void> {
  return new Promise((resolve, reject) => act((error) => (error ? reject(error) : resolve())))
}

function refusalOf(error: Error & { statusCode?: number; body?: DynaliteErrorBody }): Error {
  if (error.statusCode === undefined || error.body === undefined) return error
  return new DynaliteRefusal(error.statusCode, error.body)
}
