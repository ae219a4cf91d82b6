import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { type FrozenGuards, guards as guardsSchema } from '../../../core/contract/guards.ts'
import { hashGuards } from '../../../core/guards/frozen-guards.ts'
import { createMovementGuard, type GuardedMovement } from '../../../core/guards/movement-guard.ts'
import { createBudgets } from '../../../core/journal/budgets.ts'
import { createFloors } from '../../../core/journal/floors.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { zeroMove } from '../../../core/journal/moves.ts'
import { type Decimal, parseDecimal } from '../../../core/money/decimal.ts'
import { WITHDRAWAL } from '../../helpers/intents.ts'
import { createMemoryStore, type MemoryStore } from '../../helpers/memory-store.ts'

let store: MemoryStore
let journal: Journal
let ids = 0
const newId = () => `id-${++ids}`

function startAnew(): void {
  store = createMemoryStore()
  journal = createJournal(store, newId)
}
beforeEach(startAnew)

const NOON = Date.parse('2026-01-05T12:00:00Z')
const MINUTE_MS = 60_000
const unread = { balances: () => Promise.reject(new Error('balances were asked for')) }
const refusingOf = (guards: object) =>
  createMovementGuard(
    guardsSchema.parse(guards),
    createBudgets(store, journal, newId),
    createFloors(store, journal, newId),
  )

/** Says no with the sentence alone. A send of noon, that could move within the minute, unless it is told otherwise. */
function guardOf(guards: object) {
  const guard = refusingOf(guards)
  const admit = async (movement: GuardedMovement, fromMs = NOON, toMs = fromMs + MINUTE_MS) =>
    (await guard.admit(movement, { fromMs, toMs }, unread))?.why
  return { ...guard, admit }
}
const dec = (text: string) => parseDecimal(text, 'amount')

type Change = Partial<Omit<GuardedMovement, 'amount'>> & { readonly amount?: string }

function withdrawal({ amount = '100', ...change }: Change = {}): GuardedMovement {
  return {
    ...{ intentId: 'intent-1', kind: 'withdraw' },
    ...{ assetSymbol: 'USDC', amount: dec(amount), contactId: 'vault', guards: undefined, ...change },
  }
}

function conversion({ amount = '100', guards, ...change }: Change = {}): GuardedMovement {
  const { contactId: _, ...movement } = withdrawal({ amount, ...change })
  const names = { assetSymbol: movement.assetSymbol ?? 'USDC', market: 'BTC-USDC' }
  return { ...movement, kind: 'convert', guards: { ...names, ...guards } }
}

const open = (intentId: string): Promise<Intent> =>
  journal.open({
    ...{ ...WITHDRAWAL, intentId },
    ...{ createdAt: '2026-01-05T00:00:00Z', notAfter: '2026-01-06T00:00:00Z' },
  })

const end = async (intent: Intent) => journal.advance(intent, zeroMove(intent, 'REJECTED', 'REJECTED', 'no'))

test('without guards everything may move, and nothing is read or written', async () => {
  const budgets = { reserve: () => Promise.reject(new Error('a budget was asked for')) }
  const guard = createMovementGuard(guardsSchema.parse({}), budgets, createFloors(store, journal, newId))
  const span = { fromMs: NOON, toMs: NOON }
  expect(await guard.admit(withdrawal(), span, unread)).toBeUndefined()
  expect(await guard.admit(conversion(), span, unread)).toBeUndefined()
  expect(store.records.size).toBe(0)
  expect(guard.findQuiet(undefined, 0, 1e12)).toBeUndefined()
})

test.each<[string, object]>([
  ['largest', { assets: { USDC: { largest: '99' } } }],
  ['budget', { dailyOutflow: { USDC: '99' } }],
  ['allowed', { allowedContacts: ['bank'] }],
  ['allowed', { total: { largest: '1000000' } }],
])('a refusal names its guard: %s by %o', async (guardedBy, guards) => {
  await open('intent-1')
  expect(await refusingOf(guards).admit(withdrawal(), { fromMs: NOON, toMs: NOON }, unread)).toMatchObject({
    guardedBy,
  })
})

describe('the largest of one movement', () => {
  const USD = { unitValues: { USD: '2' } }
  const BONUS: FrozenGuards = { ...USD, policy: { name: 'bonus', guards: { total: { largest: '150' } } } }

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
    const said = await guardOf(guards).admit(movement)
    if (refusal === undefined) expect(said).toBeUndefined()
    else expect(said).toContain(refusal)
  })

  test('of an equity is met by its ticker too, and both count in one budget', async () => {
    const equity = { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX' }
    expect(await guardOf({ assets: { aaplx: { largest: '99' } } }).admit(withdrawal(equity))).toContain(
      'aaplx.largest is 99',
    )
    await open('intent-1')
    expect(await guardOf({ assets: { AAPLX: { daily: '100' } } }).admit(withdrawal(equity))).toBeUndefined()
    const next = withdrawal({ ...equity, intentId: 'intent-2' })
    expect(await guardOf({ assets: { AAPLSPV: { daily: '150' } } }).admit(next)).toContain('leaves 50')
  })

  test('a value is rounded up: a digit beyond the eighteenth place is above', async () => {
    const guards = { unitValues: { USD: '0.333333333333333334' } }
    const said = await guardOf({ total: { largest: '0.333333333333333333' } }).admit(
      withdrawal({ amount: '0.999999999999999999', guards }),
    )
    expect(said).toContain('and this is 0.333333333333333334')
  })

  test('a bound whose value was not settled at the opening is not passed', async () => {
    expect(await guardOf({ total: { largest: '1000000' } }).admit(withdrawal())).toContain(
      'guards.total is in USD: it came into force after',
    )
    expect(await guardOf({ total: { daily: '1000000' } }).admit(conversion())).toContain('ask for the movement anew')
  })

  test('a conversion whose settled codes were not looked up is not passed where guards go by them', async () => {
    const nameless = { ...conversion(), assetSymbol: undefined, guards: undefined }
    for (const guards of [{ assets: { USDC: { largest: '1' } } }, { total: {} }, { allowedMarkets: [] }])
      expect(await guardOf(guards).admit(nameless)).toContain('guards bounds conversions: it came into force after')
    expect(await guardOf({ contacts: { vault: { largest: '0' } } }).admit(nameless)).toBeUndefined()
  })
})

test('what a person approved under other guards is not sent, and takes nothing of any budget', async () => {
  const approvedUnder = (guards: object): FrozenGuards => ({
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
  test('contacts are those of every list that there is', async () => {
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

  test('markets are matched in any case, and bound conversions only', async () => {
    expect(await guardOf({ allowedMarkets: ['btc-usdc'] }).admit(conversion())).toBeUndefined()
    expect(await guardOf({ allowedMarkets: ['BTC-USD'] }).admit(conversion())).toBe(
      'guards.allowedMarkets does not name BTC-USDC',
    )
    expect(await guardOf({ allowedMarkets: [] }).admit(withdrawal())).toBeUndefined()
  })
})

describe('a day’s budget', () => {
  const admitAll = async (guards: object, movements: readonly GuardedMovement[], atMs: readonly number[] = []) => {
    const guard = guardOf(guards)
    const said: (string | undefined)[] = []
    for (const [at, movement] of movements.entries()) {
      const intent = await open(movement.intentId)
      const refusal = await guard.admit(movement, atMs[at])
      if (refusal !== undefined) await end(intent)
      said.push(refusal)
    }
    return said
  }

  test('of an asset counts conversions and withdrawals; the outflow counts withdrawals only', async () => {
    const sent = [conversion({ intentId: 'a' }), withdrawal({ intentId: 'b' }), withdrawal({ intentId: 'c' })]
    expect(await admitAll({ assets: { USDC: { daily: '250' } } }, sent)).toEqual([
      ...[undefined, undefined],
      'guards.assets.USDC: 250 USDC a day leaves 50, and this needs 100',
    ])
    startAnew()
    expect(await admitAll({ dailyOutflow: { USDC: '250' } }, sent)).toEqual([undefined, undefined, undefined])
  })

  test('is of the UTC day of the send, whenever the intent was opened', async () => {
    const sends = [withdrawal(), withdrawal({ intentId: 'b' }), withdrawal({ intentId: 'c' })]
    const days = ['2026-01-05T12:00:00Z', '2026-01-06T00:00:00Z', '2026-01-06T23:00:00Z'].map((day) => Date.parse(day))
    expect(await admitAll({ dailyOutflow: { USDC: '100' } }, sends, days)).toEqual([
      ...[undefined, undefined, 'guards.dailyOutflow.USDC: 100 USDC a day leaves 0, and this needs 100'],
    ])
    expect([...store.records.keys()].filter((pk) => pk.startsWith('B#'))).toEqual([
      ...['B#*#2026-01-05#USDC', 'B#*#2026-01-06#USDC'],
    ])
  })

  test('counts on both days what could still move after midnight', async () => {
    const midnight = Date.parse('2026-01-06T00:00:00Z')
    const guard = guardOf({ dailyOutflow: { USDC: '1000' } })
    await Promise.all(['a', 'b', 'c', 'd'].map(open))
    const send = (intentId: string, amount: string, atMs: number) => guard.admit(withdrawal({ intentId, amount }), atMs)
    expect(await send('a', '999', midnight - 1_000)).toBeUndefined()
    expect(await send('b', '999', midnight + 1_000)).toContain('leaves 1, and this needs 999')
    expect(await send('c', '2', midnight - 2 * MINUTE_MS)).toContain('leaves 1, and this needs 2')
    expect(await send('d', '1', midnight + 1_000)).toBeUndefined()
  })

  test('that is rolling is any 24 hours, also over two midnights', async () => {
    const rolling = { dailyOutflow: { USDC: '100' }, dailyWindow: 'rolling' }
    const at = ['05T23:00:00Z', '06T22:00:00Z', '06T23:02:00Z', '07T22:00:00Z'].map((day) =>
      Date.parse(`2026-01-${day}`),
    )
    const sends = ['70', '40', '40', '61'].map((amount, index) => withdrawal({ intentId: `i-${index}`, amount }))
    expect(await admitAll(rolling, sends, at)).toEqual([
      undefined,
      'guards.dailyOutflow.USDC: 100 USDC in any 24 hours leaves 30, and this needs 40',
      undefined,
      'guards.dailyOutflow.USDC: 100 USDC in any 24 hours leaves 60, and this needs 61',
    ])
    startAnew()
    // By calendar days only the third and the second share one.
    expect(await admitAll({ dailyOutflow: { USDC: '100' } }, sends, at)).toEqual(sends.map(() => undefined))
  })

  test('that became rolling counts what was reserved before by the whole of its day', async () => {
    await admitAll({ dailyOutflow: { USDC: '100' } }, [withdrawal()])
    const later = (hours: number) => Date.parse('2026-01-06T00:00:00Z') + hours * 60 * MINUTE_MS
    const rolling = guardOf({ dailyOutflow: { USDC: '100' }, dailyWindow: 'rolling' })
    await open('b')
    expect(await rolling.admit(withdrawal({ intentId: 'b' }), later(23))).toContain('leaves 0')
    expect(await rolling.admit(withdrawal({ intentId: 'b' }), later(24))).toBeUndefined()
  })

  test('of a policy is its own, and over all there is one more', async () => {
    const of = (name: string): FrozenGuards => ({
      ...{ unitValues: { USD: '1' }, policy: { name, guards: { total: { daily: '150' } } } },
    })
    const sent = ['one', 'one', 'two', 'two'].map((name, at) => withdrawal({ intentId: `i-${at}`, guards: of(name) }))
    const said = await admitAll({ total: { daily: '1000' } }, sent)
    expect(said.map((each) => each?.slice(0, 25))).toEqual([
      ...[undefined, 'policies.one.guards.total', undefined, 'policies.two.guards.total'],
    ])
    expect(
      await admitAll({ total: { daily: '250' } }, [withdrawal({ intentId: 'last', guards: of('three') })]),
    ).toEqual(['guards.total: 250 USD a day leaves 50, and this needs 100'])
  })

  test('to a contact counts what goes there, in value', async () => {
    const guards = { unitValues: { USD: '3' } }
    const sent = ['vault', 'bank', 'vault'].map((contactId, at) =>
      withdrawal({ intentId: `i-${at}`, contactId, guards }),
    )
    const bounds = { contacts: { vault: { daily: '500' }, bank: { daily: '500' } } }
    expect(await admitAll(bounds, sent)).toEqual([
      ...[undefined, undefined, 'guards.contacts.vault: 500 USD a day leaves 200, and this needs 300'],
    ])
  })

  test('under two spellings of one asset is the smaller', async () => {
    const bounds = { assets: { usdc: { daily: '99' }, USDC: { daily: '1000' } } }
    expect(await admitAll(bounds, [withdrawal()])).toEqual([
      'guards.assets.usdc: 99 USDC a day leaves 99, and this needs 100',
    ])
  })

  test('that a dearer quote needs more of is raised, and a cheaper one leaves it', async () => {
    const bounds = { assets: { USDC: { daily: '120' } } }
    const [cheap, dear, dearer] = ['100', '110', '121'].map((amount) => conversion({ amount }))
    expect(await admitAll(bounds, [cheap, dear, cheap] as GuardedMovement[])).toEqual([undefined, undefined, undefined])
    expect(store.records.get('B#*#2026-01-05#asset:USDC')?.reserved).toEqual({ 'intent-1': '110' })
    expect(await guardOf(bounds).admit(dearer as GuardedMovement)).toContain('leaves 120, and this needs 121')
  })

  test('is free again once its holder is a certified zero', async () => {
    const guard = guardOf({ dailyOutflow: { USDC: '100' } })
    const first = await open('intent-1')
    await open('intent-2')
    await guard.admit(withdrawal())
    expect(await guard.admit(withdrawal({ intentId: 'intent-2' }))).toContain('leaves 0')
    await end(first)
    expect(await guard.admit(withdrawal({ intentId: 'intent-2' }))).toBeUndefined()
  })

  test('is not touched by what another bound refuses without asking', async () => {
    const bounds = { dailyOutflow: { USDC: '100' }, assets: { USDC: { largest: '1' } } }
    await guardOf(bounds).admit(withdrawal())
    expect(store.records.size).toBe(0)
  })
})

test('quiet hours are those of the deployment and of the policy, told with their end', () => {
  const night = { from: '22:00', to: '06:00', timeZone: 'UTC' }
  const noon = { from: '12:00', to: '13:00', timeZone: 'UTC' }
  const guard = guardOf({ quietHours: [night] })
  const policy: FrozenGuards = { policy: { name: 'bonus', guards: { quietHours: [noon] } } }
  const at = (time: string) => Date.parse(`2026-01-05T${time}Z`)
  expect(guard.findQuiet(policy, at('21:58:00'), at('22:00:00'))).toBe(
    'nothing is sent in the quiet hours of guards.quietHours, until 2026-01-06T06:00:00.000Z',
  )
  expect(guard.findQuiet(policy, at('12:59:59'), at('14:00:00'))).toContain('policies.bonus.guards.quietHours, until')
  expect(guard.findQuiet(undefined, at('12:59:59'), at('14:00:00'))).toBeUndefined()
})

describe('whatever moves under whatever bounds', () => {
  const amount = fc.integer({ min: 1, max: 400 }).map(String)
  const bound = fc.record({
    largest: fc.option(amount, { nil: undefined }),
    daily: fc.option(amount, { nil: undefined }),
  })
  const code = fc.constantFrom('BTC', 'USDC')
  const contact = fc.constantFrom('vault', 'bank')
  const set = fc.record({
    total: fc.option(bound, { nil: undefined }),
    assets: fc.dictionary(code, bound),
    contacts: fc.dictionary(contact, bound),
  })
  const moving = fc.record({
    ...{ isConversion: fc.boolean(), policy: fc.constantFrom(undefined, 'one', 'two'), amount, ends: fc.boolean() },
    ...{ assetSymbol: code, contactId: contact },
  })
  const UNIT_VALUES = { BTC: '3', USDC: '1' } as const

  test('no movement is above its largest, and no day above its figure', async () => {
    await fc.assert(
      fc.asyncProperty(set, set, set, fc.array(moving, { maxLength: 12 }), async (everywhere, one, two, movements) => {
        startAnew()
        const guard = guardOf(everywhere)
        const admitted: { readonly scope: string | undefined; readonly movement: GuardedMovement }[] = []
        for (const [at, { isConversion, policy: name, ends, ...what }] of movements.entries()) {
          const intent = await open(`intent-${at}`)
          const guards: FrozenGuards = {
            unitValues: { USD: UNIT_VALUES[what.assetSymbol] },
            ...(name && { policy: { name, guards: name === 'one' ? one : two } }),
          }
          const movement = (isConversion ? conversion : withdrawal)({ ...what, intentId: `intent-${at}`, guards })
          const refusal = await guard.admit(movement)
          if (refusal !== undefined || ends) await end(intent)
          else admitted.push({ scope: name, movement })
        }
        const value = ({ amount: units, assetSymbol }: GuardedMovement) =>
          assetSymbol === 'BTC' ? units * 3n : (units as bigint)
        const hold = (bounds: typeof everywhere, mine: readonly GuardedMovement[]) => {
          const check = (
            each: typeof bounds.total,
            of: readonly GuardedMovement[],
            size: (m: GuardedMovement) => bigint,
          ) => {
            const sum = of.reduce((total, movement) => total + size(movement), 0n)
            if (each?.daily !== undefined) expect(sum <= dec(each.daily)).toBe(true)
            if (each?.largest !== undefined)
              for (const one of of) expect(size(one) <= dec(each.largest as string)).toBe(true)
          }
          check(bounds.total, mine, value)
          for (const [asset, each] of Object.entries(bounds.assets))
            check(
              each,
              mine.filter(({ assetSymbol }) => assetSymbol === asset),
              ({ amount: units }) => units as bigint,
            )
          for (const [id, each] of Object.entries(bounds.contacts))
            check(
              each,
              mine.filter(({ contactId }) => contactId === id),
              value,
            )
        }
        hold(
          everywhere,
          admitted.map(({ movement }) => movement),
        )
        hold(
          one,
          admitted.filter(({ scope }) => scope === 'one').map(({ movement }) => movement),
        )
        hold(
          two,
          admitted.filter(({ scope }) => scope === 'two').map(({ movement }) => movement),
        )
      }),
      { numRuns: 300 },
    )
  })

  test('ten at once never get more than the day has, and none is lost to the crowd', async () => {
    const guard = guardOf({ total: { daily: '350' }, dailyOutflow: { USDC: '350' } })
    const guards = { unitValues: { USD: '1' } }
    const all = Array.from({ length: 10 }, (_, at) => withdrawal({ intentId: `intent-${at}`, guards }))
    await Promise.all(all.map(({ intentId }) => open(intentId)))
    const said = await Promise.all(all.map((movement) => guard.admit(movement)))
    expect(said.filter((refusal) => refusal === undefined)).toHaveLength(3)
    const reserved = store.records.get('B#*#2026-01-05#value:USD')?.reserved as Record<string, string>
    expect(Object.values(reserved).reduce((sum, text) => sum + dec(text), 0n as Decimal as bigint)).toBe(dec('300'))
  })
})

test('a policy that was renamed has of its day what it had left under the old name', async () => {
  const { admit } = guardOf({})
  const terms = (policy: { readonly name: string; readonly was?: string }): FrozenGuards => ({
    policy: { ...policy, guards: { assets: { USDC: { daily: '150' } } } },
  })
  await open('intent-1')
  const refused = await open('intent-2')
  await open('intent-3')
  expect(await admit(withdrawal({ guards: terms({ name: 'weekly' }) }))).toBeUndefined()
  const renamed = { guards: terms({ name: 'monthly', was: 'weekly' }) }
  expect(await admit(withdrawal({ ...renamed, intentId: 'intent-2' }))).toContain('150 USDC a day leaves 50')
  await end(refused)
  expect(await admit(withdrawal({ ...renamed, intentId: 'intent-3', amount: '50' }))).toBeUndefined()
  // Once the file says no more what it was, what it has sent since counts all the same.
  const later = { intentId: 'intent-4', amount: '101', guards: terms({ name: 'monthly' }) }
  expect(await admit(withdrawal(later))).toContain('150 USDC a day leaves 100')
})
