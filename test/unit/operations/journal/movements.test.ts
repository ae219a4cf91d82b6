// Movements that no intent claims are found, whatever their number and whatever time a service gives them.
import { describe, expect, test } from 'vitest'
import { FOREIGN } from '../../../../core/contract/records.ts'
import { checkMovements } from '../../../../operations/journal/movements.ts'

const NOW_MS = Date.parse('2026-11-23T12:00:00Z')
const DAY_MS = 24 * 3_600_000
const HOUR_MS = 3_600_000

interface Order {
  readonly id: string
  readonly createdAt: string
}
const TERMS = { side: 'BUY', market: 'BTC-USDC', baseAmount: '1' }
const order = (id: string, atMs: number): Order => ({ id, createdAt: new Date(atMs).toISOString(), ...TERMS })

/** A service that refuses a list of more than `most` rows. */
function service(
  orders: readonly Order[],
  { most = 100, ledger = [] }: { most?: number; ledger?: readonly object[] } = {},
) {
  const asked: string[] = []
  const walkOrders = async function* ({ startDate = '', endDate = '9999' } = {}) {
    asked.push(startDate)
    const found = orders.filter(({ createdAt }) => createdAt >= startDate && createdAt <= endDate)
    if (found.length > most) throw new Error(`GET /v2/orders: more than ${most} items`)
    yield* found
  }
  const clock = { measure: async () => undefined, nowMs: () => NOW_MS }
  const walkLedger = async function* () {
    yield* ledger
  }
  return { asked, client: { clock, walkLedger, walkOrders, walkWithdrawals: async function* () {} } as never }
}

const claims = (...ids: readonly string[]) => ({
  journal: { findClaim: async (_kind: string, id: string) => (ids.includes(id) ? 'one' : undefined) } as never,
})

test('a long list is read in spans of time, and each of its rows is checked once', async () => {
  const orders = Array.from({ length: 900 }, (_, nth) => order(`o-${nth}`, NOW_MS - (90 * DAY_MS * (nth + 0.5)) / 900))
  const { asked, client } = service(orders)
  const span = { sinceMs: NOW_MS - 90 * DAY_MS, untilMs: NOW_MS }
  const checked = await checkMovements(claims(), client, span)
  expect(checked.movements).toBe(900)
  expect(new Set(checked.unclaimed.map(({ about }) => about)).size).toBe(900)
  expect(checked.unclaimed).toHaveLength(900)
  expect(asked.length).toBeLessThan(20)
})

test('a row at the end of a span is checked once', async () => {
  const sinceMs = NOW_MS - 21 * DAY_MS
  const { client } = service([order('edge', sinceMs + 7 * DAY_MS)])
  expect(await checkMovements(claims(), client, { sinceMs, untilMs: NOW_MS })).toMatchObject({
    movements: 1,
    unclaimed: [{ about: 'edge' }],
  })
})

test('a check since long ago costs at most a hundred spans of a list', async () => {
  const { asked, client } = service([])
  await checkMovements(claims(), client, { sinceMs: 0, untilMs: NOW_MS })
  expect(asked.length).toBeLessThanOrEqual(101)
})

test('a movement dated in the far future does not count as recent', async () => {
  const { client } = service([order('ahead', NOW_MS + HOUR_MS), order('young', NOW_MS - 60_000), order('mine', 0)])
  const inUse = await checkMovements(claims('mine'), client, { sinceMs: 0, untilMs: NOW_MS - HOUR_MS })
  expect(inUse).toMatchObject({ unclaimed: [{ about: 'ahead' }], young: 1 })
})

test('in a refused table nothing counts as recent, since nobody is at work on it', async () => {
  const { client } = service([order('ahead', NOW_MS + HOUR_MS), order('new', NOW_MS - 1)])
  const refused = await checkMovements(claims(), client, { sinceMs: 0, untilMs: Number.POSITIVE_INFINITY })
  expect(refused.young).toBe(0)
  expect(refused.unclaimed.map(({ about }) => about).sort()).toEqual(['ahead', 'new'])
})

describe('the ledger', () => {
  const entry = (id: string, source: object | null, atMs: number, orderId: string | null = null) => ({
    ...{
      id,
      type: 'debit',
      assetSymbol: 'USDC',
      amount: '20',
      source,
      orderId,
      createdAt: new Date(atMs).toISOString(),
    },
  })
  const withdrawal = (id: string, atMs = NOW_MS - HOUR_MS) => entry(`e-${id}`, { type: 'withdrawal', id }, atMs)
  const fill = (orderId: string, atMs = NOW_MS - HOUR_MS) =>
    entry(`f-${orderId}`, { type: 'fill', id: 'f' }, atMs, orderId)
  const span = { sinceMs: NOW_MS - 90 * DAY_MS, untilMs: Number.POSITIVE_INFINITY }

  test('shows a movement that no list shows: it is found once', async () => {
    const ledger = [fill('hidden-order'), fill('hidden-order'), withdrawal('hidden'), withdrawal('mine'), fill('o-1')]
    const { client } = service([order('o-1', NOW_MS - HOUR_MS)], { ledger })
    const { entries, unclaimed } = await checkMovements(claims('mine', 'o-1'), client, span)
    expect(entries).toBe(5)
    expect(unclaimed.map(({ about }) => about)).toEqual(['hidden-order', 'hidden'])
    expect(unclaimed[1]?.message).toMatch(/no intent claims withdrawal hidden, of which the ledger has 20 USDC at /)
  })

  test('leaves out deposits, unidentifiable entries, listed movements and older ones', async () => {
    const others = [entry('d', { type: 'deposit', id: 'd-1' }, NOW_MS), entry('u', { type: 'fee', id: 'x' }, NOW_MS)]
    const old = withdrawal('old', span.sinceMs - 1)
    const { client } = service([order('o-1', NOW_MS)], {
      ledger: [...others, entry('n', null, NOW_MS), fill('o-1'), old],
    })
    expect((await checkMovements(claims('o-1'), client, span)).unclaimed).toEqual([])
  })

  test.each(['newest first', 'oldest first'])('listed %s is read as far as it is recent', async (way) => {
    const old = Array.from({ length: 2_000 }, (_, nth) => withdrawal(`old-${nth}`, span.sinceMs - 1 - nth))
    const ledger = way === 'newest first' ? [withdrawal('hidden'), ...old] : [...old.toReversed(), withdrawal('hidden')]
    const { unclaimed } = await checkMovements(claims(), service([], { ledger }).client, span)
    expect(unclaimed.map(({ about }) => about)).toEqual(['hidden'])
  })
})

test('a row claimed as foreign is found if no person has declared it so', async () => {
  const orders = [order('declared', NOW_MS - HOUR_MS), order('hidden', NOW_MS - HOUR_MS)]
  const journal = {
    findClaim: async () => FOREIGN,
    findForeign: async (_kind: string, id: string) => (id === 'declared' ? {} : undefined),
  }
  const { unclaimed } = await checkMovements({ journal: journal as never }, service(orders).client, {
    sinceMs: NOW_MS - DAY_MS,
    untilMs: NOW_MS,
  })
  expect(unclaimed.map(({ message }) => message)).toEqual([
    expect.stringContaining('the journal claims for others, by no word of a person, order hidden'),
  ])
})
