// Movements that no intent claims are found however many there are, and whatever time a service gives them.
import { expect, test } from 'vitest'
import { checkMovements } from '../../../../cli/journal/movements.ts'

const NOW_MS = Date.parse('2026-11-23T12:00:00Z')
const DAY_MS = 24 * 3_600_000
const HOUR_MS = 3_600_000

interface Order {
  readonly id: string
  readonly createdAt: string
}
const TERMS = { side: 'BUY', market: 'BTC-USDC', baseAmount: '1' }
const order = (id: string, atMs: number): Order => ({ id, createdAt: new Date(atMs).toISOString(), ...TERMS })

/** A service that takes no list of more than `most` rows. */
function service(orders: readonly Order[], most = 100) {
  const asked: string[] = []
  const walkOrders = async function* ({ startDate = '', endDate = '9999' } = {}) {
    asked.push(startDate)
    const found = orders.filter(({ createdAt }) => createdAt >= startDate && createdAt <= endDate)
    if (found.length > most) throw new Error(`GET /v2/orders: more than ${most} items`)
    yield* found
  }
  const clock = { measure: async () => undefined, nowMs: () => NOW_MS }
  return { asked, client: { clock, walkOrders, walkWithdrawals: async function* () {} } as never }
}

const claims = (...ids: readonly string[]) => ({
  journal: { findClaim: async (_kind: string, id: string) => (ids.includes(id) ? 'one' : undefined) } as never,
})

test('a long list is read in spans of time, and each of its rows is looked at once', async () => {
  const orders = Array.from({ length: 900 }, (_, nth) => order(`o-${nth}`, NOW_MS - (90 * DAY_MS * (nth + 0.5)) / 900))
  const { asked, client } = service(orders)
  const span = { sinceMs: NOW_MS - 90 * DAY_MS, untilMs: NOW_MS }
  const checked = await checkMovements(claims(), client, span)
  expect(checked.movements).toBe(900)
  expect(new Set(checked.unclaimed.map(({ about }) => about)).size).toBe(900)
  expect(checked.unclaimed).toHaveLength(900)
  expect(asked.length).toBeLessThan(20)
})

test('a row at the end of a span is looked at once', async () => {
  const sinceMs = NOW_MS - 21 * DAY_MS
  const { client } = service([order('edge', sinceMs + 7 * DAY_MS)])
  expect(await checkMovements(claims(), client, { sinceMs, untilMs: NOW_MS })).toMatchObject({
    movements: 1,
    unclaimed: [{ about: 'edge' }],
  })
})

test('since long ago costs no more than a hundred spans of a list', async () => {
  const { asked, client } = service([])
  await checkMovements(claims(), client, { sinceMs: 0, untilMs: NOW_MS })
  expect(asked.length).toBeLessThanOrEqual(101)
})

test('what is dated ahead of all time is not taken for young', async () => {
  const { client } = service([order('ahead', NOW_MS + HOUR_MS), order('young', NOW_MS - 60_000), order('mine', 0)])
  const inUse = await checkMovements(claims('mine'), client, { sinceMs: 0, untilMs: NOW_MS - HOUR_MS })
  expect(inUse).toMatchObject({ unclaimed: [{ about: 'ahead' }], young: 1 })
})

test('in a table that is refused nothing is young, as nobody is at work on it', async () => {
  const { client } = service([order('ahead', NOW_MS + HOUR_MS), order('new', NOW_MS - 1)])
  const refused = await checkMovements(claims(), client, { sinceMs: 0, untilMs: Number.POSITIVE_INFINITY })
  expect(refused.young).toBe(0)
  expect(refused.unclaimed.map(({ about }) => about).sort()).toEqual(['ahead', 'new'])
})
