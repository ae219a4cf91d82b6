// Reads the span of time that `journal verify` and `journal rebuild` take, and whether a table belongs to its journal.

import { isoTime } from '../../core/contract/fields.ts'
import { longestFenceSeconds, type Timing } from '../../core/contract/timing.ts'
import { readTableFacts } from '../../core/journal/dynamo-table.ts'
import { type AcceptedTable, findAcceptedTable } from '../../core/journal/table-identity.ts'
import type { RecordAccess } from '../../place/journal/journal-parts.ts'
import { advice, type ConnectionFlags, option } from '../../place/next-step.ts'
import { unfit } from '../../place/operation-error.ts'
import type { SurveySpan } from './survey.ts'

export interface SpanFlags extends ConnectionFlags {
  readonly since?: string
  readonly before?: string
  readonly limit?: string
}

/** AWS keeps executions for 90 days. */
const KEPT_MS = 90 * 24 * 3_600_000
/** Maximum executions of each state machine, unless another limit was given. */
const LIMIT = 10_000
const MOST_LIMIT = 1_000_000

/** @throws OperationError (exit 2) */
export function readSpan(flags: SpanFlags, nowMs: number): SurveySpan {
  const timeOf = (name: 'since' | 'before') => {
    const text = flags[name]
    if (text === undefined) return undefined
    if (isoTime.safeParse(text).success) return Date.parse(text)
    const problem = `expected an ISO-8601 time with its zone; got ${JSON.stringify(text.slice(0, 60))}`
    throw unfit(name, problem, advice`such as ${option(name, '2026-01-31T00:00:00Z')}`)
  }
  const limit = flags.limit === undefined ? LIMIT : Number(flags.limit)
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > MOST_LIMIT)
    throw unfit('limit', `expected a whole number from 1 to ${MOST_LIMIT}; got something else`)
  return { sinceMs: timeOf('since') ?? nowMs - KEPT_MS, beforeMs: timeOf('before'), limit }
}

export interface TableState {
  readonly tableId: string
  readonly accepted: AcceptedTable | undefined
  /** Whether the table is known to be the one that the journal was written in. */
  readonly isOwn: boolean
}

/** @throws Transient, Defect */
export async function tableState({ store, table }: Pick<RecordAccess, 'store' | 'table'>): Promise<TableState> {
  const [{ tableId }, accepted] = await Promise.all([
    readTableFacts(table.client, table.tableName),
    findAcceptedTable(store),
  ])
  return { tableId, accepted, isOwn: accepted?.tableId === tableId }
}

/** The time up to which every movement has certainly been claimed, in epoch ms. */
export function claimedUntilMs({ isOwn }: TableState, timing: Timing, nowMs: number): number {
  // No function works on a refused table.
  return isOwn ? nowMs - 2 * longestFenceSeconds(timing) * 1000 : Number.POSITIVE_INFINITY
}
