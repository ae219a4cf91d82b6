// Audits in worlds that date movements to the day report each finding once.
import { expect, test } from 'vitest'
import { FOREIGN, IntentState } from '../../../core/contract/records.ts'
import {
  armedAt,
  audit,
  conversion,
  entry,
  ledgerOf,
  order,
  payment,
  startAnew,
  withdrawal,
  world,
} from './audited-world.ts'

const createdAt = '2026-02-01T00:00:00.000Z'
const OLD_MS = Date.parse('2026-01-01T00:00:00.000Z')
const own = { ...withdrawal, id: 'own', createdAt }

/** The findings of the next audits after each change of the world. */
const WORLDS = {
  'somebody else withdraws': [
    ['unclaimed_movement'],
    () => {
      world.withdrawals = [withdrawal, { ...withdrawal, id: 'theirs', createdAt }]
    },
  ],
  'an audit comes while a withdrawal is under way': [
    [],
    (audits: number) => {
      const attempt = armedAt(new Date(world.nowS * 1000).toISOString())
      const intent = { ...payment, intentId: 'withdraw-2', ref: own.id, attempt }
      world.intents = [...world.intents.slice(0, 2), { ...intent, state: audits === 0 ? IntentState.Armed : 'DONE' }]
      world.withdrawals = [withdrawal, own]
      if (audits > 0) world.claims['withdraw own'] = 'withdraw-2'
    },
  ],
  'an audit comes before a withdrawal shows, whose entry shows': [
    [],
    (audits: number) => {
      world.isShared = true
      world.ledger = [
        ...ledgerOf({ ...world, withdrawals: [withdrawal] }),
        entry({ type: 'withdrawal', id: 'own' }, '100', { createdAt }),
      ]
      world.withdrawals = audits === 0 ? [withdrawal] : [withdrawal, own]
    },
  ],
  'the ledger comes oldest first, and has an entry of no movement': [
    ['unlisted_entry'],
    () => {
      const times = Array.from({ length: 600 }, (_, nth) => new Date(OLD_MS + nth).toISOString())
      const old = times.map((time) => entry({ type: 'deposit', id: time }, '1', { createdAt: time }))
      const unlisted = entry({ type: 'withdrawal', id: 'unlisted' }, '100', { createdAt })
      world.ledger = [...old, ...ledgerOf(world), unlisted]
    },
  ],
  'another intent is DONE by an order that is claimed': [
    ['changed_record'],
    () => {
      const attempt = { ...conversion.attempt, ...armedAt('2026-02-01T12:00:00.000Z') }
      world.intents = [conversion, payment, { ...conversion, intentId: 'convert-2', attempt }]
    },
  ],
  'an intent that is listed as open is DONE without an attempt': [
    ['changed_record', 'changed_record', 'changed_record'],
    () => {
      const { attempt: _attempt, ...second } = { ...payment, intentId: 'withdraw-2' }
      world.intents = [conversion, payment, second]
    },
  ],
  'a step claims for others what it has sent': [
    ['unproven_claim'],
    () => {
      world.withdrawals = [withdrawal, own]
      world.claims['withdraw own'] = FOREIGN
    },
  ],
  'a person declares a movement of long ago to be others’': [
    ['foreign_movement'],
    () => {
      world.foreign = { 'withdraw#long-ago': { by: 'ada', because: 'paid by hand', at: createdAt } }
    },
  ],
  'a person declares a movement to be others’, by a clock of long ago': [
    ['foreign_movement'],
    () => {
      world.withdrawals = [withdrawal, own]
      world.claims['withdraw own'] = FOREIGN
      world.foreign = { 'withdraw#own': { by: 'ada', because: 'paid by hand', at: '2020-01-01T00:00:00.000Z' } }
    },
  ],
  'an intent is DONE by an order that its attempt did not send': [
    ['differing_terms'],
    () => {
      world.intents = [{ ...conversion, attempt: { ...conversion.attempt, orderId: 'another' } } as never, payment]
    },
  ],
  'an intent is DONE by a row that was there before its send': [
    ['differing_terms'],
    () => {
      const known = [{ id: withdrawal.id, at: withdrawal.createdAt }]
      world.intents = [conversion, { ...payment, attempt: { ...payment.attempt, known } } as never]
    },
  ],
  'an order failed, and has filled less than its fills add up to': [
    ['differing_terms'],
    () => {
      world.orders = [{ ...order, status: 'FAILED', filledBaseAmount: '0.2', filledQuoteAmount: '20' }]
    },
  ],
  'a withdrawal is debited more than its amount and its fee': [
    ['differing_terms'],
    () => {
      world.withdrawals = [{ ...withdrawal, fee: '0.5' }]
    },
  ],
  'somebody else withdraws, and no list shows it': [
    ['unclaimed_movement'],
    () => {
      world.unlisted = { orders: [], withdrawals: [{ ...own, id: 'theirs' }] }
      world.ledger = [...ledgerOf(world), entry({ type: 'withdrawal', id: 'theirs' }, '100', { createdAt })]
    },
  ],
  'somebody else buys, and the list of orders does not show it': [
    ['unclaimed_movement'],
    () => {
      world.unlisted = { orders: [{ ...order, id: 'theirs' }], withdrawals: [] }
      world.ledger = [...ledgerOf(world), entry({ type: 'fill', id: 'f9' }, '0.5', { orderId: 'theirs', createdAt })]
    },
  ],
  'somebody has withdrawn before a first audit': [
    ['unclaimed_movement'],
    () => {
      world.withdrawals = [withdrawal, { ...withdrawal, id: 'theirs', createdAt: '2026-01-31T00:00:00.000Z' }]
    },
  ],
} as const satisfies Readonly<Record<string, readonly [readonly string[], (audits: number) => void]>>

/** The first audit reports these as well. */
const IS_THERE_AT_FIRST: ReadonlySet<string> = new Set(['somebody has withdrawn before a first audit'])

async function told(name: keyof typeof WORLDS): Promise<string[]> {
  startAnew()
  if (IS_THERE_AT_FIRST.has(name)) WORLDS[name][1](0)
  await audit()
  for (let audits = 0; audits < 3; audits += 1) {
    world.nowS += 3600
    WORLDS[name][1](audits)
    await audit()
  }
  return world.told.map(({ finding }) => finding)
}

test.each(Object.keys(WORLDS) as (keyof typeof WORLDS)[])(
  'if %s, the audits report the findings, once',
  async (name) => {
    expect(await told(name)).toEqual(WORLDS[name][0])
  },
)

test('a finding that waits is reported, however many others are remembered', async () => {
  startAnew()
  await audit()
  world.withdrawals = Array.from({ length: 5_100 }, (_, nth) => ({ ...withdrawal, id: `theirs-${nth}` }))
  world.ledger = [...ledgerOf(world), entry({ type: 'withdrawal', id: 'unlisted' }, '100', { createdAt })]
  for (const _ of ['next', 'last']) {
    world.nowS += 3600
    await audit()
  }
  expect(world.told.filter(({ finding }) => finding === 'unlisted_entry')).toHaveLength(1)
})
