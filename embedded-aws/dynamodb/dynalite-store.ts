// The inside of dynalite (pinned to 4.0.0), without the HTTP server around it: its store, its
// validations and its actions, typed as far as they are used. Going around the server lets the
// gateway decide about an answer, and an error of the store reach us instead of the process.
import { createRequire } from 'node:module'
import { type Disk, DURABLE } from '../disk.ts'
import { GroupCommit, type LevelBatch, type LevelWrite } from './group-commit.ts'
import { assertLogsWhole } from './level-log.ts'

export interface DynaliteTable {
  TableStatus: string
  GlobalSecondaryIndexes?: { IndexStatus: string }[]
}

type Callback<T> = (error: (Error & { statusCode?: number; body?: DynaliteErrorBody }) | null, value: T) => void

export interface DynaliteErrorBody {
  readonly __type: string
  readonly message?: string
  readonly Message?: string
}

/** dynalite's Level: its own methods write with callbacks, those of its prototype are Level's. */
interface DynaliteLevel {
  open(): Promise<void>
  close(): Promise<void>
  put(key: string, value: unknown, callback: Callback<void>): void
  del(key: string, callback: Callback<void>): void
  batch(writes: readonly LevelWrite[], callback: Callback<void>): void
}

interface DynaliteStore {
  readonly db: DynaliteLevel
  readonly tableDb: {
    awsAccountId: string
    awsRegion: string
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
// dynalite has no types: what is required of it has those that this file goes by.
const { create } = require('dynalite/db') as { create(options: object): DynaliteStore }
const checks = require('dynalite/validations') as {
  checkTypes(body: unknown, types: unknown): unknown
  checkValidations(body: unknown, types: unknown, custom: unknown, store: DynaliteStore): void
}

/** A refusal as DynamoDB answers it. */
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
 * Opens the store at a directory. `tableDelayMs` is how long a new table stays in CREATING.
 * Rejects with a cause of code LEVEL_LOCKED where another process has it open, and for a log that is damaged.
 */
export async function openStore(
  directory: string,
  { account, region }: { readonly account: string; readonly region: string },
  disk: Disk = DURABLE,
  tableDelayMs = 0,
): Promise<DynaliteDatabase> {
  assertLogsWhole(directory)
  const store = create({ path: directory, createTableMs: tableDelayMs })
  await store.db.open()
  store.tableDb.awsAccountId = account
  store.tableDb.awsRegion = region
  return new DynaliteDatabase(store, disk.isDurable ? commitInGroups(store.db, directory, disk) : undefined)
}

/** How the keys of an index's rows begin. */
const INDEX_ROW = 'index-'

/** Every write of dynalite goes through these three, which take no options: so they are replaced where it looks for them. */
function commitInGroups(db: DynaliteLevel, directory: string, disk: Disk): GroupCommit {
  // The one of the class, which the assignments below do not change.
  const { batch } = Object.getPrototypeOf(db) as { batch: LevelBatch }
  const commits = new GroupCommit(directory, batch.bind(db), disk)
  const write = (writes: readonly LevelWrite[], callback: Callback<void>) => {
    // Out of the promise, so that what the callback throws is not lost in it.
    commits.write(writes).then(
      () => setImmediate(callback, null, undefined),
      (error: Error) => setImmediate(callback, error, undefined),
    )
  }
  const writeOne = (one: LevelWrite, callback: Callback<void>) => {
    if (!one.key.startsWith(INDEX_ROW)) {
      write([one], callback)
      return
    }
    // An item's index rows are written before the item, which is then answered: one sync does for them all.
    commits.ahead(one)
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
        // dynalite throws errors only.
        reject(refusalOf(error as Error))
      }
    })
  }

  /**
   * Finishes the creation of a table that a killed process left half way: dynalite marks a table
   * active from a timer, which died with it. The table is empty, because it was not usable yet.
   */
  async finishCreation(name: string): Promise<void> {
    const table = await this.#table(name)
    if (table === undefined || table.TableStatus !== 'CREATING') return
    table.TableStatus = 'ACTIVE'
    for (const index of table.GlobalSecondaryIndexes ?? []) index.IndexStatus = 'ACTIVE'
    await new Promise<void>((resolve, reject) =>
      this.#store.tableDb.put(name, table, (error) => (error ? reject(error) : resolve())),
    )
  }

  async close(): Promise<void> {
    await this.#commits?.untilIdle()
    await this.#store.db.close()
  }

  #table(name: string): Promise<DynaliteTable | undefined> {
    return new Promise((resolve, reject) =>
      this.#store.tableDb.get(name, (error, table) => (error ? reject(error) : resolve(table))),
    )
  }
}

function refusalOf(error: Error & { statusCode?: number; body?: DynaliteErrorBody }): Error {
  if (error.statusCode === undefined || error.body === undefined) return error
  return new DynaliteRefusal(error.statusCode, error.body)
}
