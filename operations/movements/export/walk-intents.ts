// Lists the journal's intents whose movement may be dated within a time: those that were asked for around it, and those
// that were asked for before it and sent within it. Keys only, each once, with the time of the request. Reads only.
import { AskedList } from '../../../core/contract/records.ts'
import type { AskedEntry, AskedSpan } from '../../connection/journal/asked-index.ts'
import type { AskedAccess, RecordAccess } from '../../connection/journal/journal-parts.ts'
import { walkSent } from '../../connection/journal/sent-index.ts'
import type { MovementFilter } from './filter.ts'

/** The key of a record, and when it was asked for where the index says so: ISO-8601. */
export interface ListedIntent extends Pick<AskedEntry, 'key'> {
  readonly at?: string
  /** With this, the record counts only where it was asked for before then, in epoch ms: the other list has the rest. */
  readonly onlyBeforeMs?: number
}

/** The service may date rows to the day, in any zone (docs/movement-protocol.md, "The window of rows"). */
const ROW_SLACK_MS = 2 * 86_400_000
/** A movement may be dated by a clock that is ahead of this machine's. */
const AHEAD_MS = 86_400_000

type Sources = Pick<AskedAccess, 'walkAsked'> & Pick<RecordAccess, 'table'>

/** Those asked for within the time come first, newest first. */
export async function* walkIntents(
  { walkAsked, table }: Sources,
  { kind, sinceMs, beforeMs }: Pick<MovementFilter, 'kind' | 'sinceMs' | 'beforeMs'>,
  nowMs: number,
): AsyncGenerator<ListedIntent, void> {
  const lists = kind === undefined ? [AskedList.Convert, AskedList.Withdraw] : [kind]
  const span = {
    ...(sinceMs !== undefined && { sinceMs: sinceMs - ROW_SLACK_MS }),
    ...(beforeMs !== undefined && { beforeMs: beforeMs + ROW_SLACK_MS }),
  }
  yield* walkAsked(lists, span, nowMs)
  if (span.sinceMs === undefined || !(await isAnyBefore(walkAsked(lists, earlierThan(span.sinceMs), nowMs)))) return
  const latestMs = Math.min(span.beforeMs ?? Number.POSITIVE_INFINITY, nowMs + AHEAD_MS)
  const prefixes = lists.map((list) => `I#${list}#`)
  for await (const key of walkSent(table, { sinceMs: span.sinceMs, beforeMs: latestMs })) {
    if (prefixes.some((prefix) => key.startsWith(prefix))) yield { key, onlyBeforeMs: span.sinceMs }
  }
}

function earlierThan(ms: number): AskedSpan {
  return { beforeMs: ms }
}

async function isAnyBefore(entries: AsyncGenerator<AskedEntry, void>): Promise<boolean> {
  for await (const _ of entries) return true
  return false
}
