// Tests the refusals of the guard before every ARM for a single movement, and their texts.
import { beforeEach, describe, expect, test } from 'vitest'
import { guards as guardsSchema } from '../../../core/contract/guards.ts'
import { hashGuards } from '../../../core/guards/effective-guards.ts'
import { createMovementGuard, type GuardedMovement, type MovementGuards } from '../../../core/guards/movement-guard.ts'
import { createFloors } from '../../../core/journal/floors.ts'
import type { OpenIntent } from '../../../core/journal/intent.ts'
import {
  conversion,
  guardOf,
  journal,
  NOON,
  newId,
  open,
  refusingOf,
  startAnew,
  store,
  unread,
  withdrawal,
} from './guarded-movements.ts'

beforeEach(startAnew)

test('without guards everything may move, and nothing is read or written', async () => {
  const isUnread = () => Promise.reject(new Error('people were asked for'))
  const budgets = { reserve: () => Promise.reject(new Error('a budget was asked for')) }
  const guard = createMovementGuard(
    { everywhere: guardsSchema.parse({}), policies: { find: isUnread } },
    budgets,
    createFloors(store, journal, newId),
    {
      find: isUnread,
    },
    isUnread,
  )
  const span = { fromMs: NOON, toMs: NOON }
  expect(await guard.admit(withdrawal(), span, unread)).toBeUndefined()
  expect(await guard.admit(conversion(), span, unread)).toBeUndefined()
  expect(store.records.size).toBe(0)
  expect(guard.findQuiet({}, 0, 1e12)).toBeUndefined()
})

test('a value that has risen above a rule since it was shown waits for other terms, and names nobody who was not asked', async () => {
  const guard = refusingOf({ valuationAsset: 'USD', approval: { above: '150' } })
  const [one, two] = [{ USD: '1' }, { USD: '2' }]
  const risen = await guard.findUnapproved(withdrawal({ guards: { unitValues: two }, shownValues: one }))
  expect(risen).toMatchObject({ isUnseen: true, why: expect.not.stringContaining('to approve it') })
  const shown = await guard.findUnapproved(withdrawal({ guards: { unitValues: two }, shownValues: two }))
  expect(shown).toMatchObject({ isForNow: true, why: expect.stringContaining('to approve it') })
})

test.each([
  ['the settled one, where the price has fallen since', '2', '1', '2'],
  ['the present one, where it has risen since', '1', '2', '2'],
])('a movement is judged by the dearer of both values: by %s', async (_what, settled, present, judgedBy) => {
  const guard = refusingOf({ valuationAsset: 'USD', total: { largest: '1' } })
  const intent = await open('intent-1')
  const shown = { ...intent, frozen: { ...intent.frozen, unitValues: { USD: settled } } } as OpenIntent
  const { unitValues } = await guard.read(shown, withdrawal(), { findPrice: async () => present })
  expect(unitValues).toEqual({ USD: judgedBy })
})

test.each<[string, object]>([
  ['largest', { assets: { USDC: { largest: '99' } } }],
  ['budget', { dailyOutflow: { USDC: '99' } }],
  ['allowed', { allowedContacts: ['bank'] }],
])('a refusal names its guard: %s by %o', async (guardedBy, guards) => {
  await open('intent-1')
  expect(await refusingOf(guards).admit(withdrawal(), { fromMs: NOON, toMs: NOON }, unread)).toMatchObject({
    guardedBy,
  })
})

describe('the largest of one movement', () => {
  const USD = { unitValues: { USD: '2' } }
  const BONUS: MovementGuards = { ...USD, policy: { name: 'bonus', guards: { total: { largest: '150' } } } }

  test.each<[string, object, GuardedMovement, string | undefined]>([
    [
      'of an asset',
      { assets: { USDC: { largest: '99' } } },
      withdrawal(),
      'guards.assets.USDC.largest is 99 USDC, and this is 100',
    ],
    ['of an asset, met', { assets: { USDC: { largest: '100' } } }, withdrawal(), undefined],
    [
      'of an asset in another spelling',
      { assets: { usdc: { largest: '99' } } },
      withdrawal(),
      'guards.assets.usdc.largest is 99',
    ],
    ['of another asset', { assets: { BTC: { largest: '1' } } }, withdrawal(), undefined],
    ['of an asset, converted', { assets: { USDC: { largest: '99' } } }, conversion(), 'guards.assets.USDC.largest'],
    [
      'in value',
      { total: { largest: '199.99' } },
      withdrawal({ guards: USD }),
      'guards.total.largest is 199.99 USD, and this is 200',
    ],
    ['in value, met', { total: { largest: '200' } }, withdrawal({ guards: USD }), undefined],
    [
      'to a contact',
      { contacts: { vault: { largest: '1' } } },
      withdrawal({ guards: USD }),
      'guards.contacts.vault.largest is 1 USD',
    ],
    ['to another contact', { contacts: { bank: { largest: '1' } } }, withdrawal({ guards: USD }), undefined],
    ['to a contact, of a conversion', { contacts: { vault: { largest: '1' } } }, conversion(), undefined],
    [
      'of the policy',
      {},
      withdrawal({ guards: BONUS }),
      'policies.bonus.guards.total.largest is 150 USD, and this is 200',
    ],
  ])('%s', async (_, guards, movement, refusal) => {
    const reason = await guardOf(guards).admit(movement)
    if (refusal === undefined) expect(reason).toBeUndefined()
    else expect(reason).toContain(refusal)
  })

  test('of an equity is found by its ticker too, and both count in one budget', async () => {
    const equity = { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX' }
    expect(await guardOf({ assets: { aaplx: { largest: '99' } } }).admit(withdrawal(equity))).toContain(
      'aaplx.largest is 99',
    )
    await open('intent-1')
    expect(await guardOf({ assets: { AAPLX: { daily: '100' } } }).admit(withdrawal(equity))).toBeUndefined()
    const next = withdrawal({ ...equity, intentId: 'intent-2' })
    expect(await guardOf({ assets: { AAPLSPV: { daily: '150' } } }).admit(next)).toContain('leaves 50')
  })

  test('a value is rounded up, so a digit beyond the eighteenth place is above the bound', async () => {
    const guards = { unitValues: { USD: '0.333333333333333334' } }
    const reason = await guardOf({ total: { largest: '0.333333333333333333' } }).admit(
      withdrawal({ amount: '0.999999999999999999', guards }),
    )
    expect(reason).toContain('and this is 0.333333333333333334')
  })
})

test('a movement that a person approved under other guards is not sent, and uses no budget', async () => {
  const approvedUnder = (guards: object): MovementGuards => ({
    policy: { name: 'weekly', guards: {}, guardsHash: hashGuards(guardsSchema.parse(guards)) },
  })
  const now = { dailyOutflow: { USDC: '500' } }
  expect(await guardOf(now).admit(withdrawal({ guards: approvedUnder({}) }))).toBe(
    'the guards have changed since the plan was approved',
  )
  expect(store.records.size).toBe(0)
  expect(await guardOf(now).admit(withdrawal({ guards: approvedUnder(now) }))).toBeUndefined()
})

describe('allowed', () => {
  test('contacts are those that every list contains', async () => {
    const policy = { policy: { name: 'bonus', guards: { allowedContacts: ['vault'] } } }
    expect(await guardOf({ allowedContacts: ['bank'] }).admit(withdrawal())).toBe(
      'guards.allowedContacts does not name contact vault',
    )
    expect(await guardOf({ allowedContacts: ['bank', 'vault'] }).admit(withdrawal({ guards: policy }))).toBeUndefined()
    expect(await guardOf({ allowedContacts: ['bank'] }).admit(withdrawal({ contactId: 'bank', guards: policy }))).toBe(
      'policies.bonus.guards.allowedContacts does not name contact bank',
    )
    expect(await guardOf({ allowedContacts: [] }).admit(conversion())).toBeUndefined()
  })

  test('markets are compared in any case, and apply to conversions only', async () => {
    expect(await guardOf({ allowedMarkets: ['btc-usdc'] }).admit(conversion())).toBeUndefined()
    expect(await guardOf({ allowedMarkets: ['BTC-USD'] }).admit(conversion())).toBe(
      'guards.allowedMarkets does not name BTC-USDC',
    )
    expect(await guardOf({ allowedMarkets: [] }).admit(withdrawal())).toBeUndefined()
  })
})

test('quiet hours are those of the deployment and of the policy, reported with their end', () => {
  const night = { from: '22:00', to: '06:00', timeZone: 'UTC' }
  const noon = { from: '12:00', to: '13:00', timeZone: 'UTC' }
  const guard = guardOf({ quietHours: [night] })
  const policy: MovementGuards = { policy: { name: 'bonus', guards: { quietHours: [noon] } } }
  const at = (time: string) => Date.parse(`2026-01-05T${time}Z`)
  expect(guard.findQuiet(policy, at('21:58:00'), at('22:00:00'))).toBe(
    'nothing is sent in the quiet hours of guards.quietHours, until 2026-01-06T06:00:00.000Z',
  )
  expect(guard.findQuiet(policy, at('12:59:59'), at('14:00:00'))).toContain('policies.bonus.guards.quietHours, until')
  expect(guard.findQuiet({}, at('12:59:59'), at('14:00:00'))).toBeUndefined()
})
