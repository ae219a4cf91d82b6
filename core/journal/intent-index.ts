// Lists intents, or runs, by the journal's index. The index lags behind its table, so it returns names only, and
// callers read each record. Writes nothing.
import { awsFault } from '../aws-fault.ts'
import { TooMany } from '../errors.ts'
import { type ListedTable, listKeys } from './listed-keys.ts'

export interface IntentIndex {
  /**
   * Names of the intents in a list (see `listing`), with their kind, at most `limit`.
   * @throws Transient, OwnFault, TooMany beyond the limit
   */
  list(name: string, limit: number): Promise<readonly string[]>
}

export interface Listed {
  /** Names of intents with their kind (`withdraw#<id>`), or ids of runs. */
  readonly names: readonly string[]
  /** Whether the list is longer than requested. */
  readonly isCutOff: boolean
}

/**
 * Returns names of intents, or ids of runs, at most `limit`. `after`: a record's key; only later names are returned.
 */
export type ListBeginning = (name: string, limit: number, after?: string) => Promise<Listed>

/** @throws the client's own errors */
export function listBeginningOf(table: ListedTable): ListBeginning {
  return async (name, limit, after) => {
    const { keys, isCutOff } = await listKeys(table, name, { limit, after })
    return { names: keys.map(nameIn), isCutOff }
  }
}

/**
 * Returns the same list as `listBeginningOf`, for functions. The list throws Transient and OwnFault, not the client's
 * errors.
 */
export function createListBeginning(client: ListedTable['client'], tableName: string): ListBeginning {
  const list = listBeginningOf({ client, tableName })
  return (...args) =>
    list(...args).catch((error: unknown) => {
      throw awsFault('the journal did not list intents', error)
    })
}

/** `beginningOf`: lists the journal's own table. */
export function createIntentIndex(beginningOf: ListBeginning): IntentIndex {
  return {
    async list(name, limit) {
      const { names, isCutOff } = await beginningOf(name, limit)
      if (isCutOff) throw new TooMany(`more than ${limit} intents are listed as ${name}`)
      return names
    },
  }
}

/** The part after the kind of record: the name of an intent with its kind, or the id of a run. */
function nameIn(key: string): string {
  return key.slice(key.indexOf('#') + 1)
}
