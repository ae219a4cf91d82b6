// Lists the journal's intents whose movement may be dated within a time span. They were asked for around the span, or before
// it and sent within it. Keys only, each once, with the time of the request. Reads only.
import { RequestList } from '../../../core/contract/records.ts'
import type { RecordAccess, RequestAccess } from '../../../place/journal/journal-parts.ts'
import type { RequestEntry, RequestSpan } from '../../../place/journal/request-index.ts'
import { walkSent } from '../../../place/journal/sent-index.ts'
import type { MovementFilter } from './filter.ts'

/** The key of a record, and when it was asked for where the index says so: ISO-8601. */
export interface ListedIntent extends Pick<RequestEntry, 'key'> {
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
export async function* walkIntents(
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
