// Walks the table of movements: one row for each intent of the journal, with the figures that the service shows now.
// It holds one part of bounded size at a time. A record or a movement that cannot be read keeps its row, and is named.
// Intents were asked for around the time span, or before it and sent within it. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../../core/bounded.ts'
import { findIntentName, IntentKind, RequestList } from '../../../core/contract/records.ts'
import { Defect } from '../../../core/errors.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { intentOfRecord } from '../../../core/journal/intent-record.ts'
import { findReadable } from '../../../core/journal/listed-records.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import type { RecordAccess, RequestAccess } from '../../../place/journal/journal-parts.ts'
import type { RequestEntry, RequestSpan } from '../../../place/journal/request-index.ts'
import { walkSent } from '../../../place/journal/sent-index.ts'
import { findOwnId } from '../own-id.ts'
import { isWanted, type MovementFilter } from './filter.ts'
import { type MovementRow, RowState, rowWith } from './movement-row.ts'
import { createPlanPrices, type FindPlanPrices } from './plan-prices.ts'
import { type FoundRow, type RowSources, rowOf } from './row-of.ts'
import { readShown } from './shown-movements.ts'

/** Intents that are read together. */
const PART = 200

/** Something that the table cannot show as it should. */
export interface Unshown {
  /** The id of the intent. */
  readonly id: string
  readonly message: string
}

export interface MovementSources extends Pick<RowSources, 'timing'> {
  readonly journal: Pick<RequestAccess, 'walkRequests' | 'readRecord'> & Pick<RecordAccess, 'table'>
  readonly service: RowSources['service'] & Pick<ServiceClient, 'rebased'>
  readonly nowMs: number
  readonly onUnshown: (unshown: Unshown) => void
}

interface Walk {
  readonly sources: MovementSources
  readonly filter: MovementFilter
  readonly findPrices: FindPlanPrices
  /** Keys of records that cannot be read: two lists may have the same one. */
  readonly broken: Set<string>
}

/**
 * In the order of the requests, newest first. Movements that were asked for before the time of the filter come last.
 * @throws Transient, Refused
 */
export async function* walkMovements(
  sources: MovementSources,
  filter: MovementFilter,
): AsyncGenerator<MovementRow, void> {
  const walk = { sources, filter, findPrices: createPlanPrices(sources.journal), broken: new Set<string>() }
  let part: ListedIntent[] = []
  for await (const listed of walkIntents(sources.journal, filter, sources.nowMs)) {
    part.push(listed)
    if (part.length < PART) continue
    yield* rowsOf(part, walk)
    part = []
  }
  yield* rowsOf(part, walk)
}

async function* rowsOf(part: readonly ListedIntent[], walk: Walk): AsyncGenerator<MovementRow, void> {
  const { findPrices, filter, sources } = walk
  const { service, timing, onUnshown } = sources
  const read = await mapBounded(part, READS_AT_ONCE, (listed) => readIntent(listed, walk))
  const intents = read.flatMap((each) => (each !== undefined && 'intent' in each ? [each.intent] : []))
  const shown = await readShown(intents, service.rebased)
  const found = await mapBounded(read, READS_AT_ONCE, async (each) =>
    each !== undefined && 'intent' in each
      ? withOwnId(await rowOf(each.intent, { shown, findPrices, service, timing }), sources)
      : each,
  )
  for (const each of found) {
    if (each === undefined || !isWanted(each.row, filter)) continue
    for (const message of each.faults) onUnshown({ id: each.row.id ?? '', message })
    yield each.row
  }
}

/** `undefined` for a record that the other list has. @throws Transient */
async function readIntent(
  { key, at, onlyBeforeMs }: ListedIntent,
  { sources: { journal }, broken }: Walk,
): Promise<{ readonly intent: Intent } | FoundRow | undefined> {
  try {
    const record = await journal.readRecord(key)
    if (record === undefined) throw new Defect(`the journal lists the record ${key}, and does not have it`)
    const intent = intentOfRecord(record)
    return onlyBeforeMs !== undefined && Date.parse(intent.createdAt) >= onlyBeforeMs ? undefined : { intent }
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    if (broken.has(key)) return undefined
    broken.add(key)
    return unreadable(key, at, error.message)
  }
}

/** A record of who asked that was edited must not hide the row. */
async function withOwnId(found: FoundRow, { journal }: Pick<MovementSources, 'journal'>): Promise<FoundRow> {
  const { id, kind } = found.row
  if (id === null || (kind !== IntentKind.Convert && kind !== IntentKind.Withdraw)) return found
  const faults: string[] = []
  const ownId = await findReadable(
    () => findOwnId(kind, id, journal),
    ({ message }) => faults.push(message),
  )
  return { row: { ...found.row, ownId: ownId ?? null }, faults: [...found.faults, ...faults] }
}

function unreadable(key: string, at: string | undefined, why: string): FoundRow {
  const { kind, intentId } = findIntentName(key.slice(key.indexOf('#') + 1)) ?? { kind: null, intentId: key }
  const times = at === undefined ? {} : { at, askedAt: at }
  return { row: rowWith({ id: intentId, kind, ...times, state: RowState.Unreadable, why }), faults: [why] }
}

/** The key of a record, and when it was asked for where the index says so: ISO-8601. */
interface ListedIntent extends Pick<RequestEntry, 'key'> {
  readonly at?: string
  /** With this, the record counts only where it was asked for before then, in epoch ms: the other list has the rest. */
  readonly onlyBeforeMs?: number
}

/** The service may date rows to the day, in any zone (docs/movement-protocol.md, "Withdrawals"). */
const ROW_SLACK_MS = 2 * 86_400_000
/** A movement may be dated by a clock that is ahead of this machine's. */
const AHEAD_MS = 86_400_000

type Sources = Pick<RequestAccess, 'walkRequests'> & Pick<RecordAccess, 'table'>

/** Yields the intents that were requested within the time first, newest first. */
async function* walkIntents(
  { walkRequests, table }: Sources,
  { kind, sinceMs, beforeMs }: Pick<MovementFilter, 'kind' | 'sinceMs' | 'beforeMs'>,
  nowMs: number,
): AsyncGenerator<ListedIntent, void> {
  const lists = kind === undefined ? [RequestList.Convert, RequestList.Withdraw] : [kind]
  const span = {
    ...(sinceMs !== undefined && { sinceMs: sinceMs - ROW_SLACK_MS }),
    ...(beforeMs !== undefined && { beforeMs: beforeMs + ROW_SLACK_MS }),
  }
  yield* walkRequests(lists, span, nowMs)
  if (span.sinceMs === undefined || !(await isAnyBefore(walkRequests(lists, earlierThan(span.sinceMs), nowMs)))) return
  const latestMs = Math.min(span.beforeMs ?? Number.POSITIVE_INFINITY, nowMs + AHEAD_MS)
  const prefixes = lists.map((list) => `I#${list}#`)
  for await (const key of walkSent(table, { sinceMs: span.sinceMs, beforeMs: latestMs })) {
    if (prefixes.some((prefix) => key.startsWith(prefix))) yield { key, onlyBeforeMs: span.sinceMs }
  }
}

function earlierThan(ms: number): RequestSpan {
  return { beforeMs: ms }
}

async function isAnyBefore(entries: AsyncGenerator<RequestEntry, void>): Promise<boolean> {
  for await (const _ of entries) return true
  return false
}
