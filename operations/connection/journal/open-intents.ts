// The intents that are not at an end or wait for a person, by the journal's index: the cost does not grow with what was
// ever asked for. The index lags behind the table. An intent enters this list when it is opened, which is before anything
// is sent for it, and each record is read by its key, which is consistent. So what a reader can miss is an intent of the
// last moments, and what it may be shown too much is one that has just ended: it goes by the record.
import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { ANY_INTENT, listing } from '../../../core/contract/records.ts'
import { Defect } from '../../../core/errors.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { intentOfRecord } from '../../../core/journal/intent-record.ts'
import { listKeys } from '../../../core/journal/listed-keys.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import type { JournalTable } from '../aws-address.ts'

/** As many as the audit takes (functions/reconcile). */
export const MOST_OPEN = 5_000

/** What is done about a record that is no intent as this release knows them. */
export type OnMisfit = (misfit: Defect) => void

export interface OpenIntents {
  readonly intents: readonly Intent[]
  /** Where there are more than were looked at: the name of the last one with its kind, to go on behind it. */
  readonly lookedAtUpTo?: string
}

export interface OpenIntentsPart {
  /** Default: MOST_OPEN. */
  readonly limit?: number
  /** The name of an intent with its kind: only what comes behind it in the index. */
  readonly after?: string | undefined
  /** Default: it is thrown. */
  readonly onMisfit?: OnMisfit
}

export async function readOpenIntents(
  table: JournalTable,
  store: Pick<RecordStore, 'read'>,
  { limit = MOST_OPEN, after, onMisfit = refuse }: OpenIntentsPart = {},
): Promise<OpenIntents> {
  const part = { limit, after: after === undefined ? undefined : `${ANY_INTENT}${after}` }
  const { keys, isCutOff } = await listKeys(table, listing.open, part)
  const intents = await readIntents(keys, store, onMisfit)
  const last = keys.at(-1)
  return { intents, ...(isCutOff && last !== undefined && { lookedAtUpTo: last.slice(ANY_INTENT.length) }) }
}

/** Of which a movement that is looked at may be: one that is left out would be taken for none. */
const MOST_IN_DOUBT = 20_000

/** All of them. @throws Defect where there are more than can be held against a movement */
export async function readAllOpenIntents(
  table: JournalTable,
  store: Pick<RecordStore, 'read'>,
  onMisfit: OnMisfit = refuse,
): Promise<readonly Intent[]> {
  const { intents, lookedAtUpTo } = await readOpenIntents(table, store, { limit: MOST_IN_DOUBT, onMisfit })
  if (lookedAtUpTo === undefined) return intents
  throw new Defect(`more than ${MOST_IN_DOUBT} intents are open, and each may have made a movement: settle some first`)
}

/** Several at a time. Keys without a record are left out. */
export async function readIntents(
  keys: readonly string[],
  store: Pick<RecordStore, 'read'>,
  onMisfit: OnMisfit = refuse,
): Promise<Intent[]> {
  const found = await mapBounded(keys, READS_AT_ONCE, (key) => readIntent(key, store, onMisfit))
  return found.filter((intent) => intent !== undefined)
}

function refuse(misfit: Defect): never {
  throw misfit
}

/** One that was edited is a misfit too: the store gives out none that is not as it was written. */
async function readIntent(
  key: string,
  store: Pick<RecordStore, 'read'>,
  onMisfit: OnMisfit,
): Promise<Intent | undefined> {
  try {
    const record = await store.read(key)
    return record && intentOfRecord(record)
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    onMisfit(error)
    return undefined
  }
}
