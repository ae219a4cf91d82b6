// Lists requests, newest first, by the journal's index `asked`: keys only, month by month back, as far as the caller
// reads. The index lags behind its table by moments, so the newest requests may be missing.
import type { QueryOutput } from '@aws-sdk/client-dynamodb'
import {
  ASKED_AT_KEY,
  ASKED_INDEX,
  ASKED_KEY,
  type PEOPLES_ACTS,
  RECORD_KEY,
  type RequestList,
  requestListIn,
} from '../../core/contract/records.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { momentOf } from '../../core/journal/request-keys.ts'
import { findAcceptedTable } from '../../core/journal/table-identity.ts'
import type { JournalTable } from '../aws/aws-address.ts'

/** Maximum months in a row without a request before a walk ends. */
const MOST_EMPTY_MONTHS = 24
/** The same maximum for months before the journal began. Only a clock that was behind dates a request there. */
const MOST_EMPTY_BEFORE = 2
const PAGE = 200
/** A record may be dated by a clock that is ahead of this machine's. */
const AHEAD_MS = 24 * 3_600_000

/** A list of the index `asked`. */
export type AskedList = RequestList | typeof PEOPLES_ACTS

/** In epoch ms: from `sinceMs` on, and before `beforeMs`. */
export interface RequestSpan {
  readonly sinceMs?: number | undefined
  readonly beforeMs?: number | undefined
}

export interface RequestEntry {
  readonly key: string
  /** ISO-8601, in ms. */
  readonly at: string
}

export async function* walkRequests(
  table: JournalTable,
  lists: readonly AskedList[],
  span: RequestSpan,
  nowMs: number,
): AsyncGenerator<RequestEntry, void> {
  // DynamoDB refuses a BETWEEN whose bounds are reversed.
  if ((span.sinceMs ?? 0) >= (span.beforeMs ?? Number.POSITIVE_INFINITY)) return
  const begun = await monthOfBeginning(table)
  const walks = lists.map((list) => entriesOf(table, list, span, { nowMs, begun }))
  const heads = await Promise.all(walks.map((walk) => walk.next()))
  for (;;) {
    let newest: { readonly at: number; readonly entry: RequestEntry } | undefined
    for (const [at, { value, done }] of heads.entries()) {
      if (done !== true && (newest === undefined || value.at > newest.entry.at)) newest = { at, entry: value }
    }
    if (newest === undefined) return
    yield newest.entry
    const next = await walks[newest.at]?.next()
    if (next !== undefined) heads[newest.at] = next
  }
}

/**
 * The month in which the table was declared the journal's. Empty where it is unknown, or where a person accepted
 * another table.
 */
async function monthOfBeginning({ client, tableName }: JournalTable): Promise<string> {
  const accepted = await findAcceptedTable(createDynamoStore(client, tableName))
  if (accepted === undefined || accepted.by !== undefined) return ''
  return accepted.at.slice(0, 7)
}

async function* entriesOf(
  table: JournalTable,
  list: AskedList,
  span: RequestSpan,
  { nowMs, begun }: { readonly nowMs: number; readonly begun: string },
): AsyncGenerator<RequestEntry, void> {
  const oldest = span.sinceMs === undefined ? '' : monthOf(span.sinceMs)
  let month = monthOf(Math.min(nowMs + AHEAD_MS, span.beforeMs ?? Number.POSITIVE_INFINITY))
  for (let empty = 0; month >= oldest; month = monthBefore(month)) {
    if (empty >= (month < begun ? MOST_EMPTY_BEFORE : MOST_EMPTY_MONTHS)) return
    empty += 1
    for await (const entry of entriesIn(table, list, month, span)) {
      empty = 0
      yield entry
    }
  }
}

/** The requests of one month, newest first. */
export async function* entriesIn(
  { client, tableName }: JournalTable,
  list: AskedList,
  month: string,
  { sinceMs, beforeMs }: RequestSpan = {},
  pageSize = PAGE,
): AsyncGenerator<RequestEntry, void> {
  // No sort key is a time alone, so BETWEEN leaves out requests at the later bound.
  const times = { ':since': sinceMs ?? Date.parse(`${month}-01T00:00:00Z`), ':before': beforeMs ?? endOf(month) }
  let from: QueryOutput['LastEvaluatedKey']
  do {
    const page: QueryOutput = await client.query({
      TableName: tableName,
      IndexName: ASKED_INDEX,
      KeyConditionExpression: '#asked = :list AND #at BETWEEN :since AND :before',
      ExpressionAttributeNames: { '#asked': ASKED_KEY, '#at': ASKED_AT_KEY },
      ExpressionAttributeValues: {
        ':list': { S: requestListIn(list, month) },
        ...Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, { S: new Date(ms).toISOString() }])),
      },
      ScanIndexForward: false,
      ExclusiveStartKey: from,
      Limit: pageSize,
    })
    for (const item of page.Items ?? []) {
      yield { key: item[RECORD_KEY]?.S ?? '', at: momentOf(item[ASKED_AT_KEY]?.S ?? '') }
    }
    from = page.LastEvaluatedKey
  } while (from !== undefined)
}

function monthOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 7)
}

function monthBefore(month: string): string {
  return monthOf(Date.parse(`${month}-01T00:00:00Z`) - 1)
}

function endOf(month: string): number {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return Date.UTC(year, number, 1)
}
