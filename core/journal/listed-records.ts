// Reads the records behind a list of the journal's index: what is open, or what needs a person. The index lags behind its
// table, and each record is read by its key, which is consistent. So a reader may miss a record of the last moments, and see
// one that has just left the list: whoever reads goes by the record. Writes nothing.
import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import { ANY_INTENT, listing } from '../contract/records.ts'
import { Defect, TooMany } from '../errors.ts'
import type { Intent } from './intent.ts'
import type { ListBeginning } from './intent-index.ts'
import { findNamed, type Journal } from './journal.ts'

/** Takes a record that was edited, or does not fit. */
export type OnMisfit = (misfit: Defect) => void

export interface OpenIntentsPart {
  /** Default: MOST_OPEN. */
  readonly limit?: number
  /** The name of an intent with its kind: only what comes behind it in the index. */
  readonly after?: string | undefined
  /** Default: it is thrown. */
  readonly onMisfit?: OnMisfit
}

export interface OpenIntents {
  readonly intents: readonly Intent[]
  /** Where there are more than were looked at: the name of the last one with its kind, to go on behind it. */
  readonly lookedAtUpTo?: string
}

/** Open intents that one look takes. */
export const MOST_OPEN = 5_000
/** Open intents that a movement is held against: one that is left out would be taken for one that does not have it. */
const MOST_IN_DOUBT = 20_000

export interface ListedIntents {
  readonly list: ListBeginning
  readonly journal: Pick<Journal, 'find'>
}

/** The intents that are not at an end, or wait for a person. An intent is listed from its opening on, so before it sends. @throws Transient */
export async function readOpenIntents(
  { list, journal }: ListedIntents,
  { limit = MOST_OPEN, after, onMisfit }: OpenIntentsPart = {},
): Promise<OpenIntents> {
  const { names, isCutOff } = await list(listing.open, limit, ...(after === undefined ? [] : [`${ANY_INTENT}${after}`]))
  const intents = await readNamed(names, (name) => findNamed(journal, name), onMisfit)
  const last = names.at(-1)
  return { intents, ...(isCutOff && last !== undefined && { lookedAtUpTo: last }) }
}

/** All of them. @throws TooMany where there are more than can be held against a movement. @throws Transient */
export async function readAllOpenIntents(listed: ListedIntents, onMisfit?: OnMisfit): Promise<readonly Intent[]> {
  const part = { limit: MOST_IN_DOUBT, ...(onMisfit && { onMisfit }) }
  const { intents, lookedAtUpTo } = await readOpenIntents(listed, part)
  if (lookedAtUpTo === undefined) return intents
  throw new TooMany(`more than ${MOST_IN_DOUBT} intents are open, and each may have made a movement: settle some first`)
}

/** Several at a time, without those that are not there. `onMisfit` absent: a misfit is thrown. @throws Transient */
export async function readNamed<Found>(
  names: readonly string[],
  find: (name: string) => Promise<Found | undefined>,
  onMisfit?: OnMisfit,
): Promise<Found[]> {
  const found = await mapBounded(names, READS_AT_ONCE, (name) => findReadable(() => find(name), onMisfit))
  return found.filter((each) => each !== undefined)
}

/** `undefined` for a misfit too, which hides none of the others. @throws Transient */
export async function findReadable<Found>(
  find: () => Promise<Found | undefined>,
  onMisfit?: OnMisfit,
): Promise<Found | undefined> {
  const found = await readable(find, onMisfit)
  return found === 'unreadable' ? undefined : found.read
}

/** For whoever tells a misfit from a record that is not there. @throws Transient */
export async function readable<Found>(
  find: () => Promise<Found>,
  onMisfit: OnMisfit = refuse,
): Promise<{ readonly read: Found } | 'unreadable'> {
  try {
    return { read: await find() }
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    onMisfit(error)
    return 'unreadable'
  }
}

function refuse(misfit: Defect): never {
  throw misfit
}
