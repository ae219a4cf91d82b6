// Reads the filters of requests, and lists the requests that pass them, newest first. Reads only.

import * as z from 'zod/mini'
import { isoTime } from '../../core/contract/fields.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import type { ExecutionAccess, Executions } from '../../place/executions/executions.ts'
import type { OpenIntentAccess, RequestAccess, RunAccess } from '../../place/journal/journal-parts.ts'
import { advice, option } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import { type ReadRows, readNewest, readOpen } from './read-rows.ts'
import { readKind } from './record-kind.ts'
import { isOpenState, newestFirst, type RequestRow, type RowFilter, readOutcome } from './request-row.ts'
import { listUnrecorded } from './unrecorded.ts'

export interface RequestFilters {
  readonly kind?: string
  readonly outcome?: string
  /** ISO-8601. */
  readonly since?: string
  /** ISO-8601. */
  readonly before?: string
  readonly text?: string
  /** Also runs in shadow mode. The outcome SHADOWED asks for them too. */
  readonly shadow?: boolean
}

/** @throws OperationError (exit 2) for a filter that is not valid */
export function readFilter({ kind, outcome, since, before, text, shadow }: RequestFilters): RowFilter {
  const wanted = readOutcome(outcome)
  return {
    kind: readKind(kind),
    outcome: wanted,
    withShadow: shadow === true || wanted === RunEnd.Shadowed,
    sinceMs: readTime('since', since),
    beforeMs: readTime('before', before),
    text,
  }
}

/**
 * The first `limit` rows, and those of the same moment as the last of them. The next part continues behind that moment.
 */
export function firstOf(rows: readonly RequestRow[], limit: number): readonly RequestRow[] {
  const last = rows[limit - 1]
  if (last === undefined) return rows
  const next = rows.findIndex((row, index) => index >= limit && row.at !== last.at)
  return next === -1 ? rows : rows.slice(0, next)
}

export async function readRows(
  connection: RunAccess &
    RequestAccess &
    Pick<OpenIntentAccess, 'openIntents'> &
    ExecutionAccess &
    Pick<Executions, 'findExecution' | 'findHistory' | 'listExecutions'>,
  filter: RowFilter,
  { limit, nowMs }: Asked,
): Promise<ReadRows> {
  const open = isOpenState(filter.outcome) ? await readOpen(connection, filter) : undefined
  const read = open ?? (await readNewest(connection, filter, limit, nowMs))
  // Older ones are on a later page.
  const oldest = read.goOn?.before ?? (read.rows.length > limit ? read.rows.at(-1)?.at : undefined)
  const oldestMs = oldest === undefined ? Number.NEGATIVE_INFINITY : Date.parse(oldest)
  const unrecorded = (await listUnrecorded(filter, connection)).filter(({ at }) => Date.parse(at) >= oldestMs)
  return unrecorded.length === 0 ? read : { ...read, rows: [...read.rows, ...unrecorded].sort(newestFirst) }
}

interface Asked {
  readonly limit: number
  readonly nowMs: number
}

/**
 * The span of an export. An empty one would look as if nothing had moved.
 * @throws OperationError (exit 2)
 */
export function readSpan({ since, before }: Pick<RequestFilters, 'since' | 'before'>) {
  const [sinceMs, beforeMs] = [readTime('since', since), readTime('before', before)]
  if (sinceMs === undefined || beforeMs === undefined || sinceMs < beforeMs) return { sinceMs, beforeMs }
  const problem = advice`expected a time after ${option('since')}; got an earlier one, or the same`
  throw unfit('before', problem, advice`correct ${option('since')} or ${option('before')}`)
}

/** Epoch ms. @throws OperationError (exit 2) */
export function readTime(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const isDay = z.iso.date().safeParse(text).success
  if (isDay || isoTime.safeParse(text).success) return Date.parse(isDay ? `${text}T00:00:00Z` : text)
  const expected = 'a day such as 2026-01-31 (UTC), or a moment with its zone such as 2026-01-31T09:00:00Z'
  throw unfit(option, `expected ${expected}; got something else`)
}
