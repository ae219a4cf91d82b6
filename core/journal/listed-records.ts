// Reads the records behind a list of the journal's index: what is open, or what needs a person. The index lags behind
// its table, and each record is read by its key, which is consistent. A reader may miss a very recent record, and may
// see one that has just left the list. The record decides, not the list. Writes nothing.
import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import { ANY_INTENT, listing } from '../contract/records.ts'
import { Defect, TooMany } from '../errors.ts'
import type { Intent } from './intent.ts'
import type { ListBeginning } from './intent-index.ts'
import { findNamed, type Journal } from './journal.ts'

/** Receives a record that was edited, or does not fit. */
export type OnMisfit = (misfit: Defect) => void

export interface OpenIntentsPart {
  /** Default: MOST_OPEN. */
  readonly limit?: number
  /** Name of an intent with its kind. Only intents after it in the index are read. */
  readonly after?: string | undefined
  /** Default: the misfit is thrown. */
  readonly onMisfit?: OnMisfit
}

export interface OpenIntents {
  readonly intents: readonly Intent[]
  /** Present where the list continues: name of the last intent read, with its kind. */
  readonly lookedAtUpTo?: string
}

/** Maximum open intents that one read takes. */
export const MOST_OPEN = 5_000
/** Maximum open intents that a movement is compared with. An intent left out would seem not to have the movement. */
const MOST_IN_DOUBT = 20_000

interface ListedIntents {
  readonly list: ListBeginning
  readonly journal: Pick<Journal, 'find'>
}

/**
 * The intents that have not ended, or that wait for a person. An intent is listed from its opening, so before it sends.
 * @throws Transient, and Defect without `onMisfit`
 */
export async function readOpenIntents(
  { list, journal }: ListedIntents,
  { limit = MOST_OPEN, after, onMisfit }: OpenIntentsPart = {},
): Promise<OpenIntents> {
  const { names, isCutOff } = await list(listing.open, limit, ...(after === undefined ? [] : [`${ANY_INTENT}${after}`]))
  const intents = await readNamed(names, (name) => findNamed(journal, name), onMisfit)
  const last = names.at(-1)
  return { intents, ...(isCutOff && last !== undefined && { lookedAtUpTo: last }) }
}

/**
 * All open intents.
 * @throws TooMany where there are more than a movement can be compared with.
 * @throws Transient, and Defect without `onMisfit`
 */
export async function readAllOpenIntents(listed: ListedIntents, onMisfit?: OnMisfit): Promise<readonly Intent[]> {
  const part = { limit: MOST_IN_DOUBT, ...(onMisfit && { onMisfit }) }
  const { intents, lookedAtUpTo } = await readOpenIntents(listed, part)
  if (lookedAtUpTo === undefined) return intents
  throw new TooMany(`more than ${MOST_IN_DOUBT} intents are open, and each may have made a movement: settle some first`)
}

/** Reads several at a time, and leaves out missing ones. Without `onMisfit` a misfit is thrown. @throws Transient, Defect */
export async function readNamed<Found>(
  names: readonly string[],
  find: (name: string) => Promise<Found | undefined>,
  onMisfit?: OnMisfit,
): Promise<Found[]> {
  const found = await mapBounded(names, READS_AT_ONCE, (name) => findReadable(() => find(name), onMisfit))
  return found.filter((each) => each !== undefined)
}

/**
 * `undefined` for a missing record and for a misfit, so that a misfit does not hide the others. Without `onMisfit` it is
 * thrown.
 * @throws Transient, Defect
 */
export async function findReadable<Found>(
  find: () => Promise<Found | undefined>,
  onMisfit?: OnMisfit,
): Promise<Found | undefined> {
  const found = await readable(find, onMisfit)
  return found === 'unreadable' ? undefined : found.read
}

/** Tells a misfit from a missing record. Without `onMisfit` a misfit is thrown. @throws Transient, Defect */
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
