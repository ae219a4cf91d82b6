// Audits that an earlier call began: each of them is set up by a watermark, so that few movements are in two slices.
import { beforeEach, expect, test } from 'vitest'
import { AUDIT_WALK, IntentKind, IntentState } from '../../../core/contract/records.ts'
import { Transient } from '../../../core/errors.ts'
import { LedgerPlaces } from '../../../functions/reconcile/ledger-places.ts'
import { type AuditedEntry, LEDGER_PAGE } from '../../../functions/reconcile/ports.ts'
import { armedAt, audit, entry, fills, ledgerOf, payment, startAnew, withdrawal, world } from './audited-world.ts'

const SINCE = '2026-02-01T10:30:00.000Z'
const LATER = '2026-02-01T11:00:00.000Z'
const counts = { orders: 0, fills: 0, withdrawals: 0, entries: 0, intents: 0, foreign: 0, findingsTotal: 0 }
const memory = { told: [], seenSince: {} }

/** The audit has judged nothing of its stretch yet, and of the time before it what is older than the order. */
function begun() {
  const again = { againFrom: '2026-02-01T08:00:00.000Z', againTo: SINCE }
  const unfinished = { since: SINCE, begunAt: LATER, ...again, counts, ...memory }
  return world.watermarks.move(AUDIT_WALK, undefined, { through: SINCE, ...memory, unfinished })
}

beforeEach(startAnew)

test('an order that is filled twice, the second time in a later slice, is a finding', async () => {
  const [first, second] = [fills[0], fills[1]].map((fill) => ({ ...fill, baseAmount: '0.5', quoteAmount: '50' }))
  world.fills = [
    { ...first, id: 'once' },
    { ...second, id: 'twice', executedAt: LATER },
  ] as typeof fills
  const twice = { type: 'fill', id: 'twice' }
  world.ledger = [
    ...ledgerOf({ fills: world.fills.slice(0, 1), withdrawals: world.withdrawals }),
    ...['0.5', '50'].map((amount) => entry(twice, amount, { createdAt: LATER })),
  ]
  await begun()
  const { findings } = await audit()
  expect(findings).toMatchObject([{ finding: 'differing_terms', message: expect.stringContaining('add up to') }])
})

test('a single movement of nobody, in a later slice, is a finding', async () => {
  world.withdrawals = [...world.withdrawals, { ...withdrawal, id: 'theirs', createdAt: '2026-02-01T09:30:00.000Z' }]
  await begun()
  expect((await audit()).findings).toMatchObject([{ finding: 'unclaimed_movement', movementId: 'theirs' }])
})

test('an audit that goes on finds an overdue intent anew each hour, and not in between', async () => {
  const overdue = { intentId: 'withdraw-2', kind: IntentKind.Withdraw, state: IntentState.Armed, ref: undefined }
  world.intents = [...world.intents, { ...payment, ...overdue, attempt: armedAt('2026-02-01T09:00:00.000Z') }]
  world.hasTime = () => false
  await begun()
  expect((await audit()).findings).toMatchObject([{ finding: 'overdue_intent', intentId: 'withdraw-2' }])
  startAnew()
  world.intents = [...world.intents, { ...payment, ...overdue, attempt: armedAt('2026-02-01T09:00:00.000Z') }]
  await begun()
  expect((await audit({ continues: true })).findings).toEqual([])
})

test('a ledger that repeats a page in place of the next one is read again later', async () => {
  const all = Array.from({ length: 3 * LEDGER_PAGE }, (_, nth): AuditedEntry => {
    const createdAt = new Date(Date.parse(SINCE) + nth * 1_000).toISOString()
    return entry({ type: 'deposit', id: `deposit-${nth}` }, '1', { createdAt })
  })
  let isRepeating = false
  const places = new LedgerPlaces(async (page) => {
    const at = isRepeating && page === 2 ? 0 : page - 1
    return { entries: all.slice(at * LEDGER_PAGE, (at + 1) * LEDGER_PAGE), totalEntries: all.length }
  })
  const walked = async () => {
    const ids: (string | null)[] = []
    for await (const {
      entry: { id },
    } of places.walkFrom(1))
      ids.push(id)
    return ids
  }
  expect(await walked()).toEqual(all.map(({ id }) => id))
  isRepeating = true
  await expect(walked()).rejects.toThrow(Transient)
})

test('a watermark that says more was judged again than the stretch began with leaves nothing of the stretch out', async () => {
  const { through } = await audit()
  startAnew()
  await world.watermarks.move(AUDIT_WALK, undefined, { through, ...memory, againThrough: '2026-03-01T00:00:00.000Z' })
  world.nowS += 3600
  world.withdrawals = [...world.withdrawals, { ...withdrawal, id: 'theirs', createdAt: '2026-02-01T12:00:00.000Z' }]
  expect((await audit()).findings).toMatchObject([{ finding: 'unclaimed_movement', movementId: 'theirs' }])
})
