// Implements DynamoDB on the state directory: the declared tables, and the operations on items. Only the assembly
// creates tables. LevelDB's lock keeps a second process out.

import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { AwsError, Refusal } from '../aws-error.ts'
import { type Disk, DURABLE } from '../disk.ts'
import { decryptingThrough, type Endpoint, type Permission, type RequestBody } from '../endpoint/endpoint.ts'
import { isObject } from '../fields.ts'
import { parseStored, readOwnText } from '../own-file.ts'
import { type DynaliteDatabase, DynaliteRefusal, openStore } from './dynalite-store.ts'
import { leadingKeys, leadingKeysOfBatch, ON_POLICIES, TablePolicies } from './table-policies.ts'

/** The operations that a database needs for its mark. */
interface Marked {
  mark(): Promise<string | undefined>
  setMark(mark: string): Promise<void>
  /** Gives every table a new id. */
  renameTables(): Promise<void>
}

const isMarks = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((mark) => typeof mark === 'string')

/**
 * Runs at mark opening, before anybody reads. If the file is absent, the folder is new or a person removed the file:
 * the database is accepted.
 */
async function checkLastOpened(directory: string, database: Marked, disk: Disk): Promise<void> {
  const file = fileOf(directory)
  const mark = await database.mark()
  if (existsSync(file)) {
    const known = parseStored(readOwnText(file), file, isMarks, 'move it out of the state directory')
    if (mark === undefined || !known.includes(mark)) await database.renameTables()
  }
  await writeMark(directory, database, disk, mark)
}

/** The file is beside the folder, so a copy of the folder does not include it. */
function fileOf(directory: string): string {
  return `${directory}.opened.json`
}

/**
 * Writes a new mark. While the database changes its mark, the file holds both, so the process may be killed at any
 * point.
 */
async function writeMark(directory: string, database: Marked, disk: Disk, was: string | undefined): Promise<string> {
  const file = fileOf(directory)
  const mark = randomUUID()
  disk.replace(file, JSON.stringify(was === undefined ? [mark] : [was, mark]))
  await database.setMark(mark)
  disk.replace(file, JSON.stringify([mark]))
  return mark
}

/** A table in the form of CreateTable. */
export interface TableDefinition {
  readonly name: string
  readonly arn: string
  readonly createTable: Readonly<Record<string, unknown>>
  /** ARN of the table's own KMS key. Absent: AWS owns the key. */
  readonly kmsKeyArn?: string
}

const ON_ONE_TABLE = [
  'DeleteItem',
  'DescribeTable',
  'DescribeTimeToLive',
  'GetItem',
  'PutItem',
  'Query',
  'Scan',
  'UpdateItem',
]
const ON_MANY_TABLES = ['BatchGetItem', 'BatchWriteItem']
/** Operations that touch no item, so they need no key. */
const ON_NO_ITEM = ['DescribeTable', 'DescribeTimeToLive']

interface Opened {
  readonly directory: string
  readonly disk: Disk
  readonly database: DynaliteDatabase
  readonly arnOf: (tableName: string) => string
}

export class DynamoDb {
  readonly #database: DynaliteDatabase
  readonly #opened: Opened
  readonly #arnOf: (tableName: string) => string
  /** Name of the partition key, by ARN of a table or index. */
  readonly #partitionKeys = new Map<string, string>()
  /** ARN of the KMS key, by ARN of its table. */
  readonly #kmsKeys = new Map<string, string>()

  private constructor(opened: Opened) {
    this.#opened = opened
    this.#database = opened.database
    this.#arnOf = opened.arnOf
  }

  /** Throws a Refusal that names the directory when another process uses it. */
  static async open(
    directory: string,
    place: { readonly account: string; readonly region: string },
    disk: Disk = DURABLE,
  ): Promise<DynamoDb> {
    const arnOf = (name: string) => `arn:aws:dynamodb:${place.region}:${place.account}:table/${name}`
    try {
      const database = await openStore(directory, place, disk)
      await checkLastOpened(directory, database, disk).catch(async (error: unknown) => {
        await database.close()
        throw error
      })
      return new DynamoDb({ directory, disk, database, arnOf })
    } catch (error) {
      const reasons = reasonsOf(error)
      if (isLocked(error)) {
        // LevelDB reports a taken lock and a file system without locks alike, apart from this text.
        const isTaken = /temporarily unavailable|already held/i.test(reasons)
        throw new Refusal(
          directory,
          isTaken ? 'is in use by another process; stop it first' : `its file system refuses locks (${reasons})`,
        )
      }
      if (!(error instanceof Error && 'code' in error && error.code === 'LEVEL_DATABASE_NOT_OPEN')) throw error
      throw new Refusal(directory, `cannot be opened (${reasons})`)
    }
  }

  /**
   * Creates an absent table, and adds the indexes that a stored table lacks, before anybody writes. Throws Refusal when
   * the stored table has other keys, or an index that the assembly lacks.
   */
  async ensureTable(table: TableDefinition): Promise<void> {
    this.#partitionKeys.set(this.#resource(table.name), partitionKeyOf(table.createTable))
    if (table.kmsKeyArn !== undefined) this.#kmsKeys.set(this.#resource(table.name), table.kmsKeyArn)
    for (const index of allIndexesOf(table.createTable)) {
      this.#partitionKeys.set(this.#resource(table.name, index.IndexName), partitionKeyOf(index))
    }
    await this.#database.finishCreation(table.name)
    const stored = await this.#describe(table.name)
    if (stored === undefined) {
      await this.#database.perform('CreateTable', { ...table.createTable, TableName: table.name })
      await this.#database.finishCreation(table.name)
      return
    }
    const known = indexesOf(stored)
    const isKnown = ({ IndexName: name }: RequestBody) => known.some(({ IndexName }) => IndexName === name)
    const pairs = {
      KeySchema: [stored.KeySchema, table.createTable.KeySchema],
      LocalSecondaryIndexes: [stored.LocalSecondaryIndexes, table.createTable.LocalSecondaryIndexes],
      GlobalSecondaryIndexes: [known, indexesOf(table.createTable).filter(isKnown)],
    }
    for (const [part, [was, is]] of Object.entries(pairs)) {
      if (keysOf(was) === keysOf(is)) continue
      throw new Refusal(
        table.arn,
        `${part} differs from the stored table: the state directory belongs to another assembly`,
      )
    }
    for (const index of unfilledIndexes(known, table.createTable)) {
      await this.#database.addIndex(table.name, index, table.createTable.AttributeDefinitions)
    }
  }

  /** Returns false for a store that was never used, or that lost all tables. */
  async hasTables(): Promise<boolean> {
    const { TableNames } = (await this.#database.perform('ListTables', {})) as {
      readonly TableNames: readonly string[]
    }
    return TableNames.length > 0
  }

  endpoint(policies = new TablePolicies()): Endpoint {
    return {
      service: 'dynamodb',
      targetPrefix: 'DynamoDB_20120810',
      contentType: 'application/x-amz-json-1.0',
      permissionsFor: (operation, body) => this.#permissionsFor(operation, body),
      perform: (operation, body) =>
        ON_POLICIES.includes(operation) ? this.#onPolicy(policies, operation, body) : this.#perform(operation, body),
    }
  }

  /**
   * Writes a new mark before it closes, so that a copy made now is recognised as old after the folder was used again.
   */
  async close(): Promise<void> {
    const { database, directory, disk } = this.#opened
    try {
      // A folder that was removed meanwhile gets no mark, and neither does a disk that failed.
      if (disk.fault === undefined && existsSync(directory))
        await writeMark(directory, database, disk, await database.mark())
    } finally {
      await database.close()
    }
  }

  #permissionsFor(operation: string, body: RequestBody): readonly Permission[] | undefined {
    const action = `dynamodb:${operation}`
    if (operation === 'ListTables') return [{ action, resource: '*' }]
    if (ON_MANY_TABLES.includes(operation)) {
      const tables = isObject(body.RequestItems) ? Object.entries(body.RequestItems) : []
      return tables.flatMap(([table, request]) => [
        this.#permission(action, this.#resource(table), (key) => leadingKeysOfBatch(operation, request, key)),
        ...this.#decrypting(table),
      ])
    }
    if (ON_POLICIES.includes(operation)) return [{ action, resource: this.#resource(String(body.ResourceArn)) }]
    if (!ON_ONE_TABLE.includes(operation)) return undefined
    const resource = this.#resource(String(body.TableName), body.IndexName)
    const permission = this.#permission(action, resource, (key) => leadingKeys(operation, body, key))
    return [permission, ...(ON_NO_ITEM.includes(operation) ? [] : this.#decrypting(String(body.TableName)))]
  }

  /** DynamoDB decrypts a table's key on behalf of the caller who reads or writes an item. */
  #decrypting(nameOrArn: string): readonly Permission[] {
    const kmsKeyArn = this.#kmsKeys.get(this.#resource(nameOrArn))
    return kmsKeyArn === undefined ? [] : [decryptingThrough('dynamodb', kmsKeyArn)]
  }

  #permission(action: string, resource: string, keysBy: (partitionKey: string) => readonly string[]): Permission {
    const keys = keysBy(this.#partitionKeys.get(resource) ?? '')
    return { action, resource, ...(keys.length > 0 && { conditions: { 'dynamodb:leadingkeys': keys } }) }
  }

  #resource(nameOrArn: string, index?: unknown): string {
    const table = nameOrArn.startsWith('arn:') ? nameOrArn : this.#arnOf(nameOrArn)
    return typeof index === 'string' ? `${table}/index/${index}` : table
  }

  /** Accepts only the table's ARN, not its name. */
  async #onPolicy(policies: TablePolicies, operation: string, body: RequestBody): Promise<unknown> {
    const arn = String(body.ResourceArn)
    const name = arn.slice(this.#arnOf('').length)
    if (arn !== this.#arnOf(name) || (await this.#describe(name)) === undefined)
      throw new AwsError('ResourceNotFoundException', `Requested resource not found: ResourceArn: ${arn} not found`)
    return policies.perform(operation, arn, body)
  }

  async #perform(operation: string, body: RequestBody): Promise<unknown> {
    const { TableName: table, IndexName: index } = body
    if (typeof table === 'string' && typeof index === 'string') await this.#assertFilled(table, index)
    try {
      return await this.#database.perform(operation, body)
    } catch (error) {
      if (!(error instanceof DynaliteRefusal)) throw error
      throw new AwsError(error.body.__type, error.message, error.status)
    }
  }

  /** Refuses a query of an index that a killed process left half filled. The next boot fills it. */
  async #assertFilled(table: string, index: string): Promise<void> {
    if ((await this.#database.indexStatus(table, index)) !== 'CREATING') return
    throw new AwsError('ValidationException', `Cannot read from backfilling global secondary index: ${index}`)
  }

  async #describe(name: string): Promise<RequestBody | undefined> {
    try {
      const answer = (await this.#database.perform('DescribeTable', { TableName: name })) as {
        readonly Table: RequestBody
      }
      return answer.Table
    } catch (error) {
      if (error instanceof DynaliteRefusal && error.body.__type.endsWith('#ResourceNotFoundException')) return undefined
      throw error
    }
  }
}

function partitionKeyOf({ KeySchema }: RequestBody): string {
  const schema: readonly RequestBody[] = Array.isArray(KeySchema) ? KeySchema : []
  return String(schema.find(({ KeyType }) => KeyType === 'HASH')?.AttributeName)
}

function indexesOf({ GlobalSecondaryIndexes }: RequestBody): readonly RequestBody[] {
  return Array.isArray(GlobalSecondaryIndexes) ? GlobalSecondaryIndexes : []
}

function allIndexesOf(table: RequestBody): readonly RequestBody[] {
  const local: readonly RequestBody[] = Array.isArray(table.LocalSecondaryIndexes) ? table.LocalSecondaryIndexes : []
  return [...indexesOf(table), ...local]
}

/** Returns the wanted indexes that the stored table lacks or has not filled. */
function unfilledIndexes(stored: readonly RequestBody[], wanted: RequestBody): readonly RequestBody[] {
  const filled = stored.flatMap(({ IndexName, IndexStatus }) => (IndexStatus === 'ACTIVE' ? [IndexName] : []))
  return indexesOf(wanted).filter(({ IndexName }) => !filled.includes(IndexName))
}

/** Returns the keys of a table or of its indexes as one sorted text. */
function keysOf(value: unknown): string {
  const entries = Array.isArray(value) ? value : []
  return JSON.stringify(
    entries
      .map((entry: RequestBody) =>
        JSON.stringify([entry.IndexName, entry.KeySchema, entry.AttributeName, entry.KeyType]),
      )
      .sort(),
  )
}

/** Returns LevelDB's own text, which is in the innermost cause. */
function reasonsOf(error: unknown): string {
  if (!(error instanceof Error)) return 'for an unknown reason'
  return error.cause instanceof Error ? reasonsOf(error.cause) : error.message
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && (('code' in error && error.code === 'LEVEL_LOCKED') || isLocked(error.cause))
}
