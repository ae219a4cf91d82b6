// Tests the walk over the table of movements, with a journal and a service of any size in memory. It is tested for its
// read-ahead, its number of requests, and its reports of unreadable movements.
import { expect, test } from 'vitest'
import { IntentState, recordKey } from '../../../../../core/contract/records.ts'
import { Defect } from '../../../../../core/errors.ts'
import type { OpenConversion } from '../../../../../core/journal/intent.ts'
import { fieldsOfIntent } from '../../../../../core/journal/intent-record.ts'
import type { StoredRecord } from '../../../../../core/journal/record-store.ts'
import type { RebasedOrder } from '../../../../../core/service/orders.ts'
import { readExportFilter } from '../../../../../operations/movements/export/filter.ts'
import type { MovementRow } from '../../../../../operations/movements/export/movement-row.ts'
import {
  type MovementSources,
  type Unshown,
  walkMovements,
} from '../../../../../operations/movements/export/walk-movements.ts'
import { attemptAt, CONVERSION } from '../../../../helpers/intents.ts'
import { timing } from '../sample-intents.ts'

const NEWEST_MS = Date.UTC(2026, 0, 1)
/** One movement a minute, back in time. */
const momentOf = (nth: number) => NEWEST_MS - nth * 60_000
const keyOf = (nth: number) => recordKey.intent('convert', `c-${nth}`)

function recordOf(nth: number): StoredRecord {
  const createdAt = new Date(momentOf(nth)).toISOString()
  const intent: OpenConversion = {
    ...CONVERSION,
    ...{ intentId: `c-${nth}`, paramsHash: '', createdAt, notAfter: createdAt, version: 3, attemptNumber: 1 },
    state: IntentState.Done,
    attempt: { ...attemptAt(`order-${nth}`), iat: Math.floor(momentOf(nth) / 1000) },
    ref: `order-${nth}`,
  }
  return { ...fieldsOfIntent(intent), pk: keyOf(nth), format: 1, version: 3, stamp: 'a test' }
}

const FIGURES = {
  ...{ baseAsset: 'BTC', quoteAsset: 'USDC', baseAmount: '0.1', filledBaseAmount: '0.1', quoteAmount: '5000' },
  ...{ filledQuoteAmount: '5000', rate: '50000' },
}
function orderOf(nth: number): RebasedOrder {
  const facts = {
    id: `order-${nth}`,
    status: 'FILLED',
    side: 'BUY',
    market: 'BTC-USDC',
    multiplier: '1',
    onCredit: false,
  }
  return { ...facts, ...FIGURES, createdAt: new Date(momentOf(nth)).toISOString(), rebased: FIGURES }
}

const unused = () => {
  throw new TypeError('no test of this file needs it')
}

/** `without`: orders that the service does not show. */
function world(size: number, { without = new Set<number>(), broken = new Set<number>() } = {}) {
  const counts = { records: 0, byId: 0, listed: 0 }
  const unshown: Unshown[] = []
  const read = async (id: string): Promise<RebasedOrder> => {
    counts.byId += 1
    const nth = Number(id.slice('order-'.length))
    if (without.has(nth)) throw new Defect(`order ${nth} cannot be read`)
    return orderOf(nth)
  }
  const sources: MovementSources = {
    journal: {
      async *walkRequests() {
        for (let nth = 0; nth < size; nth += 1) yield { key: keyOf(nth), at: new Date(momentOf(nth)).toISOString() }
      },
      async readRecord(key) {
        counts.records += 1
        const nth = Number(key.slice(keyOf(0).length - 1))
        if (broken.has(nth)) throw new Defect(`the record ${key} is broken: a test`)
        return recordOf(nth)
      },
      table: { client: { query: unused } as never, tableName: '' },
    },
    service: {
      rebased: {
        order: read,
        async *walkOrders({ startDate = '', endDate = '' } = {}) {
          const [from, to] = [Date.parse(startDate), Date.parse(endDate)]
          const newest = Math.max(0, Math.ceil((NEWEST_MS - to) / 60_000))
          for (let nth = newest; nth < size && momentOf(nth) >= from; nth += 1) {
            if (without.has(nth)) continue
            counts.listed += 1
            yield orderOf(nth)
          }
        },
        walkWithdrawals: unused,
        withdrawal: unused,
        ...{ price: unused, walkFills: unused, walkFillsOf: unused, balances: unused, walkDeposits: unused },
      },
      clock: {
        measure: unused,
        ensure: unused,
        nowMs: unused,
        reachedMs: unused,
        atMostMs: unused,
        reading: unused,
      } as never,
      balances: unused,
      walkBalanceHistory: unused,
      walkLedger: unused,
      walkWithdrawals: unused,
    },
    timing,
    nowMs: NEWEST_MS,
    onUnshown: (each) => unshown.push(each),
  }
  return { sources, counts, unshown }
}

async function allOf(rows: AsyncIterable<MovementRow>): Promise<MovementRow[]> {
  const all: MovementRow[] = []
  for await (const row of rows) all.push(row)
  return all
}
const EVERYTHING = readExportFilter({})

test('over 20,000 movements it never holds more than one part', async () => {
  const size = 20_000
  const { sources, counts } = world(size)
  let rows = 0
  let mostAhead = 0
  for await (const _ of walkMovements(sources, EVERYTHING)) {
    rows += 1
    mostAhead = Math.max(mostAhead, counts.records - rows)
  }
  expect(rows).toBe(size)
  expect(mostAhead).toBeLessThan(200)
  expect(counts.byId).toBe(0)
  // The windows of neighbouring parts overlap by two minutes on each side.
  expect(counts.listed).toBeLessThan(size * 1.05)
})

test('an order that the list does not show is read by its id', async () => {
  const { sources, counts } = world(20)
  sources.service.rebased.walkOrders = async function* () {
    yield orderOf(3)
  }
  const rows = await allOf(walkMovements(sources, EVERYTHING))
  expect(rows.map(({ movementId, state }) => [movementId, state])).toEqual(
    Array.from({ length: 20 }, (_, nth) => [`order-${nth}`, 'FILLED']),
  )
  expect(counts.byId).toBe(19)
})

test('an unreadable order, and a broken record, keep their rows and are named once', async () => {
  const { sources, unshown } = world(20, { without: new Set([4]), broken: new Set([7]) })
  const rows = await allOf(walkMovements(sources, EVERYTHING))
  expect(rows).toHaveLength(20)
  expect(rows[4]).toMatchObject({ id: 'c-4', state: 'UNREADABLE', amountOut: null, movementId: 'order-4' })
  expect(rows[7]).toMatchObject({ id: 'c-7', state: 'UNREADABLE', at: new Date(momentOf(7)).toISOString() })
  expect(unshown).toEqual([
    { id: 'c-4', message: 'order 4 cannot be read' },
    { id: 'c-7', message: `the record ${keyOf(7)} is broken: a test` },
  ])
})

test('an order that differs from the request is named, and its row shows the order', async () => {
  const { sources, unshown } = world(1)
  sources.service.rebased.order = async () => ({ ...orderOf(0), side: 'SELL' })
  const [row] = await allOf(walkMovements(sources, EVERYTHING))
  expect(row).toMatchObject({ state: 'FILLED', assetOut: 'BTC', amountOut: '0.1' })
  expect(unshown).toEqual([{ id: 'c-0', message: expect.stringContaining('its order at the service is another one') }])
})

test('a filter by asset, policy or state drops rows, but never an unreadable one', async () => {
  for (const filter of [{ asset: 'ETH' }, { policy: 'core' }, { outcome: 'COMPLETED' }, { payee: 'nobody' }]) {
    const { sources } = world(3, { broken: new Set([1]) })
    const rows = await allOf(walkMovements(sources, readExportFilter(filter)))
    expect(rows.map(({ id }) => id)).toEqual(['c-1'])
  }
})
