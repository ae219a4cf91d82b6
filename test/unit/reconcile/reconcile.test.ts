// Tests the audit as a whole: movements that tie out, movements and claims without an intent, the watermark, the
// report.
import { beforeEach, describe, expect, test } from 'vitest'
import { AUDIT_WALK, FOREIGN, IntentState } from '../../../core/contract/records.ts'
import { Defect } from '../../../core/errors.ts'
import {
  armedAt,
  audit,
  conversion,
  found,
  NOW,
  ORDER,
  order,
  payment,
  startAnew,
  WITHDRAWAL,
  withdrawal,
  world,
  YESTERDAY,
} from './audited-world.ts'

beforeEach(startAnew)

const reached = (through: string) => ({ through, told: [], seenSince: {} })

test('a movement with the frozen terms of its intent ties out', async () => {
  expect(await audit()).toEqual({
    ...{
      outcome: 'TIES_OUT',
      since: YESTERDAY,
      through: '2026-02-01T11:42:15.000Z',
      findings: [],
      open: [],
      findingsTotal: 0,
    },
    ...{ againFrom: '2026-01-29T12:00:00.000Z', waiting: 0 },
    ...{ youngSince: '2026-02-01T11:42:15.000Z', allFrom: '2026-02-01T12:17:45.000Z' },
    ...{ orders: 1, fills: 2, withdrawals: 1, entries: 6, intents: 2, foreign: 0 },
  })
})

const WORD = { by: 'ada', because: 'paid by hand', at: '2026-02-01T09:00:00.000Z' }

describe('movements without an intent', () => {
  test('are found, and reported immediately', async () => {
    world.claims = {}
    world.intents = []
    const { outcome, findings, findingsTotal } = await audit()
    expect([outcome, findingsTotal]).toEqual(['FINDINGS', 2])
    expect(findings.map(({ finding, movementId }) => [finding, movementId])).toEqual([
      ['unclaimed_movement', order.id],
      ['unclaimed_movement', withdrawal.id],
    ])
    expect(world.told).toEqual(findings)
  })

  test('are foreign if the account is shared', async () => {
    world.claims = {}
    world.intents = []
    world.isShared = true
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', foreign: 2, findings: [] })
  })

  test('are foreign if a person declared them so, which is reported once', async () => {
    world.claims = { [ORDER]: FOREIGN, [WITHDRAWAL]: FOREIGN }
    world.foreign = { [`convert#${order.id}`]: WORD, [`withdraw#${withdrawal.id}`]: WORD }
    world.intents = []
    const declared = `${withdrawal.id} was declared to be others' by ada at ${WORD.at}: paid by hand`
    const { foreign, findings } = await audit()
    expect([foreign, findings.map(({ finding }) => finding)]).toEqual([2, ['foreign_movement', 'foreign_movement']])
    expect(findings[1]?.message).toContain(declared)
    world.nowS += 3600
    expect(await found()).toEqual([])
    expect(await audit({ since: YESTERDAY })).toMatchObject({ outcome: 'TIES_OUT', foreign: 2 })
  })

  test('are found if the declaration has no signed request', async () => {
    world.claims = { [ORDER]: FOREIGN, [WITHDRAWAL]: FOREIGN }
    world.foreign = { [`convert#${order.id}`]: WORD, [`withdraw#${withdrawal.id}`]: WORD }
    world.intents = []
    world.unheard = 'no signed request of ada is recorded'
    const { foreign, findings } = await audit()
    expect([foreign, [...new Set(findings.map(({ finding }) => finding))]]).toEqual([0, ['unproven_claim']])
    expect(findings[0]?.message).toContain(world.unheard)
  })

  test('are found if a step claims them as foreign and no person has declared it', async () => {
    world.claims = { [ORDER]: FOREIGN, [WITHDRAWAL]: FOREIGN }
    world.foreign = { [`convert#${order.id}`]: WORD }
    world.intents = []
    const { foreign, findings } = await audit()
    expect([foreign, findings.map(({ finding }) => finding)]).toEqual([1, ['foreign_movement', 'unproven_claim']])
    expect(findings[1]?.message).toContain('the journal claims for others, by no word of a person, withdrawal')
  })

  test('that are older than an audit reads are reported when a person declares them', async () => {
    world.foreign = { 'withdraw#long-ago': WORD }
    expect(await found()).toMatchObject([['foreign_movement', expect.stringContaining('withdrawal long-ago')]])
    world.nowS += 3600
    expect(await found()).toEqual([])
  })

  test('keep later audits from tying out until a person has declared them, however long that takes', async () => {
    world.claims = { [WITHDRAWAL]: payment.intentId }
    world.intents = [payment]
    expect(await audit()).toMatchObject({ outcome: 'FINDINGS', open: [] })
    for (const days of [0, 1, 30]) {
      world.nowS += 3600 + days * 86_400
      expect(await audit()).toMatchObject({
        ...{ outcome: 'FINDINGS', findingsTotal: 0 },
        open: [{ finding: 'unclaimed_movement', movementId: order.id }],
      })
    }
    world.claims[ORDER] = FOREIGN
    world.foreign = { [`convert#${order.id}`]: WORD }
    world.nowS += 3600
    expect(await audit()).toMatchObject({ outcome: 'TIES_OUT', open: [] })
  })

  test('are left for the next audit while a claim may still be under way', async () => {
    world.claims = {}
    world.intents = []
    world.orders = [{ ...order, createdAt: '2026-02-01T11:42:15.001Z' }]
    world.withdrawals = []
    expect(await found()).toEqual([])
    world.nowS += 1
    expect(await found()).toMatchObject([['unclaimed_movement', expect.any(String)]])
    world.nowS += 3600
    expect(await found()).toEqual([])
  })

  test('are judged even if their time cannot be read', async () => {
    world.claims = {}
    world.intents = []
    world.orders = [{ ...order, createdAt: 'lately' }]
    world.withdrawals = []
    expect(await found()).toHaveLength(1)
  })
})

describe('a record that was edited', () => {
  const broken = (pk: string) => new Defect(`the record ${pk} is broken: its chain is missing`)

  test('of an intent is reported once, by its name, and hides no other record', async () => {
    world.unreadable = { [conversion.intentId]: broken('I#convert#x') }
    world.claims = { [ORDER]: conversion.intentId }
    const told = await found()
    expect(told.filter(([type]) => type === 'unreadable_record')).toHaveLength(1)
    // The withdrawal, which nobody claims now.
    expect(told.map(([type]) => type)).toContain('unclaimed_movement')
    expect(world.told.map(({ message }) => message)).toContain('the record I#convert#x is broken: its chain is missing')
  })
})

describe('claims', () => {
  test.each([
    ['by a missing intent', [], 'is not in the journal'],
    [
      'by an intent that ended with zero',
      [{ ...conversion, state: IntentState.Rejected, ref: undefined }],
      'is REJECTED',
    ],
    [
      'by an intent that is done by another',
      [{ ...conversion, ref: 'order-2', attempt: armedAt(NOW) }],
      'DONE without it',
    ],
  ])('%s prove nothing', async (_, intents, why) => {
    world.intents = [...intents, payment]
    expect(await found()).toEqual([['unproven_claim', expect.stringContaining(why)]])
  })

  test('by an intent that stopped before it was done are reported with the overdue ones', async () => {
    world.intents = [{ ...conversion, state: IntentState.Armed }, payment]
    expect(await found()).toEqual([['overdue_intent', expect.stringContaining('ARMED')]])
  })
})

describe('the watermark', () => {
  test('moves to the end of the walk, and the next audit continues from there', async () => {
    const { through } = await audit()
    world.nowS += 3600
    expect((await audit()).since).toBe(through)
  })

  test('stays if a walk does not reach its end', async () => {
    const { through } = await audit()
    world.nowS += 3600
    world.isCutShort = true
    await expect(audit()).rejects.toThrow('the list changed')
    world.isCutShort = false
    expect((await audit()).since).toBe(through)
  })

  test('stays if an audit looks back, and advances over a silence of a month at once', async () => {
    const { through } = await audit()
    await audit({ since: '2026-01-01T00:00:00Z' })
    world.nowS += 30 * 86_400
    expect(await audit()).toMatchObject({ since: through, through: '2026-03-03T11:42:15.000Z' })
  })
})

describe('more movements than one slice takes, after a silence', () => {
  const from = Date.parse(NOW) - 6 * 86_400_000
  const inAll = 25_000

  beforeEach(async () => {
    await world.watermarks.move(AUDIT_WALK, undefined, reached(new Date(from).toISOString()))
    world.isShared = true
    world.claims = {}
    world.fills = []
    world.withdrawals = []
    world.ledger = []
    world.intents = []
    world.orders = Array.from({ length: inAll }, (_, nth) => ({
      ...{ ...order, id: `order-${nth}` },
      createdAt: new Date(from + 1 + nth * 20_000).toISOString(),
    }))
  })

  test('are judged slice by slice in one call, and each counts once', async () => {
    expect(await audit()).toMatchObject({ orders: inAll, outcome: 'TIES_OUT', through: '2026-02-01T11:42:15.000Z' })
  })

  test('of one moment are judged in one slice', async () => {
    world.orders = world.orders.map((one) => ({ ...one, createdAt: new Date(from + 1).toISOString() }))
    expect(await audit()).toMatchObject({ orders: inAll, outcome: 'TIES_OUT' })
  })
})

test('the report names the first 200 findings, and every finding is reported', async () => {
  world.claims = {}
  world.intents = []
  world.orders = Array.from({ length: 250 }, (_, n) => ({ ...order, id: `order-${n}` }))
  const { findings, findingsTotal } = await audit()
  expect([findings.length, findingsTotal, world.told.length]).toEqual([200, 251, 251])
})

describe('a clock that was ahead', () => {
  const AHEAD = '2030-06-01T12:00:00.000Z'

  test('leaves no silence until then: movements are judged by the new time, and it is reported once', async () => {
    await world.watermarks.move(AUDIT_WALK, undefined, reached(AHEAD))
    expect(await audit()).toMatchObject({
      ...{ clockSetBackFrom: AHEAD, since: YESTERDAY, through: '2026-02-01T11:42:15.000Z' },
      ...{ outcome: 'TIES_OUT', orders: 1, withdrawals: 1 },
    })
    const next = await audit()
    expect(next).toMatchObject({ since: '2026-02-01T11:42:15.000Z', orders: 0 })
    expect(next).not.toHaveProperty('clockSetBackFrom')
  })

  test('by less than a minute needs no report', async () => {
    await world.watermarks.move(AUDIT_WALK, undefined, reached('2026-02-01T12:00:59.000Z'))
    expect(await audit()).not.toHaveProperty('clockSetBackFrom')
  })
})
