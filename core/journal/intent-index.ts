// Lists intents, or runs, by the journal's index. An index lags behind its table, so it gives names only: who
// uses one reads the record. Writes nothing.
import { awsFault } from '../aws-fault.ts'
import { TooMany } from '../errors.ts'
import { type ListedTable, listKeys } from './listed-keys.ts'

export interface IntentIndex {
  /** Names of the intents in a list (see `listing`), with their kind, at most `limit`. @throws Transient, OwnFault, TooMany beyond the limit */
  list(name: string, limit: number): Promise<readonly string[]>
}

/** The beginning of a list. */
export interface Listed {
  /** Of intents with their kind (`withdraw#<id>`); of runs their ids. */
  readonly names: readonly string[]
  /** There are more than were asked for. */
  readonly isCutOff: boolean
}

/** Names of the intents, or ids of the runs, in a list, at most `limit`. `after`: a key of a record; only what comes behind it. */
export type ListBeginning = (name: string, limit: number, after?: string) => Promise<Listed>

/** Throws what the client throws. */
export function listBeginningOf(table: ListedTable): ListBeginning {
  return async (name, limit, after) => {
    const { keys, isCutOff } = await listKeys(table, name, { limit, after })
    return { names: keys.map(nameIn), isCutOff }
  }
}

/** The same for functions. Its list throws Transient, OwnFault. */
export function createListBeginning(client: ListedTable['client'], tableName: string): ListBeginning {
  const list = listBeginningOf({ client, tableName })
  return (...asked) =>
    list(...asked).catch((error: unknown) => {
      throw awsFault('the journal did not list intents', error)
    })
}

/** `beginningOf`: of the journal's own table. */
export function createIntentIndex(beginningOf: ListBeginning): IntentIndex {
  return {
    async list(name, limit) {
      const { names, isCutOff } = await beginningOf(name, limit)
      if (isCutOff) throw new TooMany(`more than ${limit} intents are listed as ${name}`)
      return names
    },
  }
}

/** Behind the kind of record: the name of an intent with its kind, or the id of a run. */
function nameIn(key: string): string {
  return key.slice(key.indexOf('#') + 1)
}
