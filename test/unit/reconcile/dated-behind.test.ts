// Movements that the service dates before they happened: to the day, or by the clock of another zone. Each is reported
// once.
import { beforeEach, describe, expect, test } from 'vitest'
import { IntentState } from '../../../core/contract/records.ts'
import {
  armedAt,
  audit,
  conversion,
  entry,
  found,
  ledgerOf,
  order,
  payment,
  startAnew,
  withdrawal,
  world,
} from './audited-world.ts'

/** Service time at which an audit has come to 11:42:15, so that all of these dates lie before it. */
const DATES = {
  'to the day': '2026-02-01T00:00:00.000Z',
  'to the day, in a zone that is behind': '2026-01-31T00:00:00.000Z',
  'by a clock five hours behind': '2026-02-01T07:00:00.000Z',
}
const dates = Object.entries(DATES)
const types = async () => (await found()).map(([finding]) => finding)
const anHourLater = () => {
  world.nowS += 3600
}

beforeEach(async () => {
  startAnew()
  await audit()
})

describe.each(dates)('dated %s', (_how, createdAt) => {
  test('somebody else’s withdrawal is reported once', async () => {
    world.withdrawals = [withdrawal, { ...withdrawal, id: 'theirs', createdAt }]
    anHourLater()
    expect((await audit()).findings).toMatchObject([{ finding: 'unclaimed_movement', movementId: 'theirs' }])
    for (const _ of ['next', 'last']) {
      anHourLater()
      expect(await types()).toEqual([])
    }
  })

  test('somebody else’s order is reported once', async () => {
    world.orders = [order, { ...order, id: 'theirs', createdAt }]
    anHourLater()
    expect((await audit()).findings).toMatchObject([{ finding: 'unclaimed_movement', movementId: 'theirs' }])
    anHourLater()
    expect(await types()).toEqual([])
  })

  test('an entry of a movement that no list shows is reported once it has stayed for an hour', async () => {
    const source = { type: 'withdrawal', id: 'unlisted' }
    world.ledger = [...ledgerOf(world), entry(source, '100', { createdAt })]
    anHourLater()
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', waiting: 1 })
    anHourLater()
    expect(await audit()).toMatchObject({ findings: [{ finding: 'unlisted_entry' }], waiting: 0 })
    anHourLater()
    expect(await types()).toEqual([])
  })

  test('an entry of a movement that shows a moment later is not reported', async () => {
    const own = { ...withdrawal, id: 'late', createdAt }
    world.ledger = [...ledgerOf(world), entry({ type: 'withdrawal', id: 'late' }, '100', { createdAt })]
    anHourLater()
    expect(await types()).toEqual([])
    world.withdrawals = [withdrawal, own]
    world.isShared = true
    anHourLater()
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', waiting: 0 })
  })

  describe('a movement of this moment', () => {
    const armed = (nowS: number) => armedAt(new Date(nowS * 1000).toISOString())

    beforeEach(() => {
      anHourLater()
    })

    test('is no finding while a withdrawal that may have made it is under way', async () => {
      const intent = { ...payment, intentId: 'withdraw-2', state: IntentState.Armed, ref: undefined }
      world.intents = [...world.intents, { ...intent, attempt: armed(world.nowS) }]
      world.withdrawals = [withdrawal, { ...withdrawal, id: 'own', createdAt }]
      expect(await types()).toEqual([])
      // The withdrawal ended without that row.
      world.intents = world.intents.slice(0, -1)
      anHourLater()
      expect(await types()).toEqual(['unclaimed_movement'])
    })

    test('is no finding while its order is under way', async () => {
      const attempt = { ...conversion.attempt, ...armed(world.nowS), orderId: 'own' }
      const intent = { ...conversion, intentId: 'convert-2', state: IntentState.Armed, ref: undefined, attempt }
      world.intents = [...world.intents, intent]
      world.orders = [order, { ...order, id: 'own', createdAt }]
      expect(await types()).toEqual([])
    })

    test('of another amount than the withdrawal under way is a finding', async () => {
      const intent = { ...payment, intentId: 'withdraw-2', state: IntentState.Armed, ref: undefined }
      world.intents = [...world.intents, { ...intent, attempt: armed(world.nowS) }]
      world.withdrawals = [withdrawal, { ...withdrawal, id: 'theirs', createdAt, amount: '7000', total: '7001' }]
      expect(await types()).toEqual(['unclaimed_movement'])
    })
  })
})

test('a movement that may be from the day before a first audit is reported, however the service dates it', async () => {
  startAnew()
  world.withdrawals = [withdrawal, { ...withdrawal, id: 'theirs', createdAt: '2026-01-31T00:00:00.000Z' }]
  expect((await audit()).findings).toMatchObject([{ finding: 'unclaimed_movement', movementId: 'theirs' }])
  anHourLater()
  expect(await types()).toEqual([])
})

test('a movement dated more than two days before the day of a first audit is reported by no audit', async () => {
  startAnew()
  world.withdrawals = [withdrawal, { ...withdrawal, id: 'old', createdAt: '2026-01-29T11:59:59.000Z' }]
  expect(await types()).toEqual([])
  anHourLater()
  expect(await types()).toEqual([])
})

describe('with many findings', () => {
  const createdAt = DATES['to the day']

  test('a finding of the ledger about a movement is still reported, once it has stayed', async () => {
    const theirs = Array.from({ length: 5_100 }, (_, nth) => ({ ...withdrawal, id: `theirs-${nth}` }))
    world.withdrawals = [withdrawal, ...theirs]
    world.ledger = [...ledgerOf(world), entry({ type: 'withdrawal', id: 'unlisted' }, '100', { createdAt })]
    anHourLater()
    expect(await audit()).toMatchObject({ waiting: 1 })
    anHourLater()
    expect((await audit()).findings).toContainEqual(expect.objectContaining({ finding: 'unlisted_entry' }))
  })

  test('at most a thousand wait: the others are reported at once', async () => {
    const unlisted = Array.from({ length: 1_200 }, (_, nth) =>
      entry({ type: 'withdrawal', id: `unlisted-${nth}` }, '100', { createdAt }),
    )
    world.ledger = [...ledgerOf(world), ...unlisted]
    anHourLater()
    expect(await audit()).toMatchObject({ waiting: 1_000, findingsTotal: 200 })
    anHourLater()
    expect(await audit()).toMatchObject({ waiting: 0, findingsTotal: 1_000 })
  })
})

test('a finding of the ledger that no later audit meets again is reported at once', async () => {
  // The next audit begins at 12:42:15 two days before.
  const createdAt = '2026-01-30T12:30:00.000Z'
  world.ledger = [...ledgerOf(world), entry({ type: 'withdrawal', id: 'unlisted' }, '100', { createdAt })]
  anHourLater()
  expect(await audit()).toMatchObject({ findings: [{ finding: 'unlisted_entry' }], waiting: 0 })
})

test('a settled finding that returns is reported again', async () => {
  const theirs = { ...withdrawal, id: 'theirs', createdAt: DATES['to the day'] }
  world.withdrawals = [withdrawal, theirs]
  anHourLater()
  expect(await types()).toEqual(['unclaimed_movement'])
  world.withdrawals = [withdrawal]
  anHourLater()
  expect(await types()).toEqual([])
  world.withdrawals = [withdrawal, theirs]
  anHourLater()
  expect(await types()).toEqual(['unclaimed_movement'])
})

test('with more movements in two days than one slice takes, all two days are judged again', async () => {
  const since = Date.parse((await audit()).through)
  world.isShared = true
  world.fills = []
  world.withdrawals = []
  world.intents = []
  world.ledger = []
  world.orders = Array.from({ length: 25_000 }, (_, nth) => ({
    ...{ ...order, id: `many-${nth}` },
    createdAt: new Date(since - nth * 6_900).toISOString(),
  }))
  anHourLater()
  const report = await audit()
  expect(report).toMatchObject({ orders: 0, through: '2026-02-01T12:42:15.000Z' })
  expect(Date.parse(report.since) - Date.parse(report.againFrom ?? '')).toBe(48 * 3_600_000)
  expect(report).not.toHaveProperty('againLeftFrom')
})
