// Tests the bound on the amount that all movements of a day may sell or send. It covers what counts, on which day, and
// under which name of a policy.
import { beforeEach, describe, expect, test } from 'vitest'
import type { GuardedMovement, MovementGuards } from '../../../core/guards/movement-guard.ts'
import { rememberNames } from '../../../core/journal/policy-names.ts'
import { conversion, end, guardOf, MINUTE_MS, newId, open, startAnew, store, withdrawal } from './guarded-movements.ts'

beforeEach(startAnew)

describe('a day’s budget', () => {
  const admitAll = async (guards: object, movements: readonly GuardedMovement[], atMs: readonly number[] = []) => {
    const guard = guardOf(guards)
    const refusals: (string | undefined)[] = []
    for (const [at, movement] of movements.entries()) {
      const intent = await open(movement.intentId)
      const refusal = await guard.admit(movement, atMs[at])
      if (refusal !== undefined) await end(intent)
      refusals.push(refusal)
    }
    return refusals
  }

  test('a day’s budget of an asset counts conversions and withdrawals; the outflow counts withdrawals only', async () => {
    const sent = [conversion({ intentId: 'a' }), withdrawal({ intentId: 'b' }), withdrawal({ intentId: 'c' })]
    expect(await admitAll({ assets: { USDC: { daily: '250' } } }, sent)).toEqual([
      ...[undefined, undefined],
      'guards.assets.USDC: 250 USDC a day leaves 50, and this needs 100',
    ])
    startAnew()
    expect(await admitAll({ dailyOutflow: { USDC: '250' } }, sent)).toEqual([undefined, undefined, undefined])
  })

  test('belongs to the UTC day of the send, whenever the intent was opened', async () => {
    const sends = [withdrawal(), withdrawal({ intentId: 'b' }), withdrawal({ intentId: 'c' })]
    const days = ['2026-01-05T12:00:00Z', '2026-01-06T00:00:00Z', '2026-01-06T23:00:00Z'].map((day) => Date.parse(day))
    expect(await admitAll({ dailyOutflow: { USDC: '100' } }, sends, days)).toEqual([
      ...[undefined, undefined, 'guards.dailyOutflow.USDC: 100 USDC a day leaves 0, and this needs 100'],
    ])
    expect([...store.records.keys()].filter((pk) => pk.startsWith('B#'))).toEqual([
      ...['B#*#2026-01-05#USDC', 'B#*#2026-01-06#USDC'],
    ])
  })

  test('counts an amount on both days if it could still move after midnight', async () => {
    const midnight = Date.parse('2026-01-06T00:00:00Z')
    const guard = guardOf({ dailyOutflow: { USDC: '1000' } })
    await Promise.all(['a', 'b', 'c', 'd'].map(open))
    const send = (intentId: string, amount: string, atMs: number) => guard.admit(withdrawal({ intentId, amount }), atMs)
    expect(await send('a', '999', midnight - 1_000)).toBeUndefined()
    expect(await send('b', '999', midnight + 1_000)).toContain('leaves 1, and this needs 999')
    expect(await send('c', '2', midnight - 2 * MINUTE_MS)).toContain('leaves 1, and this needs 2')
    expect(await send('d', '1', midnight + 1_000)).toBeUndefined()
  })

  test('a day’s budget that is rolling covers any 24 hours, also over two midnights', async () => {
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
    // By calendar days only the third and the second share a day.
    expect(await admitAll({ dailyOutflow: { USDC: '100' } }, sends, at)).toEqual(sends.map(() => undefined))
  })

  test('a day’s budget that became rolling counts earlier reservations for the whole of their day', async () => {
    await admitAll({ dailyOutflow: { USDC: '100' } }, [withdrawal()])
    const later = (hours: number) => Date.parse('2026-01-06T00:00:00Z') + hours * 60 * MINUTE_MS
    const rolling = guardOf({ dailyOutflow: { USDC: '100' }, dailyWindow: 'rolling' })
    await open('b')
    expect(await rolling.admit(withdrawal({ intentId: 'b' }), later(23))).toContain('leaves 0')
    expect(await rolling.admit(withdrawal({ intentId: 'b' }), later(24))).toBeUndefined()
  })

  test('a day’s budget of a policy is its own, and one more covers everything', async () => {
    const of = (name: string): MovementGuards => ({
      ...{ unitValues: { USD: '1' }, policy: { name, guards: { total: { daily: '150' } } } },
    })
    const sent = ['one', 'one', 'two', 'two'].map((name, at) => withdrawal({ intentId: `i-${at}`, guards: of(name) }))
    const refusals = await admitAll({ total: { daily: '1000' } }, sent)
    expect(refusals.map((each) => each?.slice(0, 25))).toEqual([
      ...[undefined, 'policies.one.guards.total', undefined, 'policies.two.guards.total'],
    ])
    expect(
      await admitAll({ total: { daily: '250' } }, [withdrawal({ intentId: 'last', guards: of('three') })]),
    ).toEqual(['guards.total: 250 USD a day leaves 50, and this needs 100'])
  })

  test('legs that nobody approved count together against what their policy may move unasked in any 24 hours', async () => {
    const unasked = (name: string, above?: string): MovementGuards => ({
      unitValues: { USD: '1' },
      policy: { name, guards: {}, ...(above !== undefined && { unaskedAbove: above }) },
    })
    const bonus = { guards: unasked('bonus', '150') }
    const legs = [
      withdrawal({ intentId: 'a', ...bonus }),
      conversion({ intentId: 'b', ...bonus }),
      conversion({ intentId: 'c', amount: '50', ...bonus }),
      withdrawal({ intentId: 'd', guards: unasked('rent', '150') }),
      // People have approved its run.
      withdrawal({ intentId: 'e', guards: unasked('bonus') }),
      withdrawal({ intentId: 'f', ...bonus }),
    ]
    const at = ['05T23:00', '06T22:00', '06T22:30', '06T22:30', '06T22:30', '06T23:02'].map((time) =>
      Date.parse(`2026-01-${time}:00Z`),
    )
    expect(await admitAll({}, legs, at)).toEqual([
      undefined,
      'policies.bonus.approval.above: 150 USD in any 24 hours leaves 50, and this needs 100',
      ...[undefined, undefined, undefined, undefined],
    ])
  })

  test('for a contact counts its payments, in value', async () => {
    const guards = { unitValues: { USD: '3' } }
    const sent = ['vault', 'bank', 'vault'].map((contactId, at) =>
      withdrawal({ intentId: `i-${at}`, contactId, guards }),
    )
    const bounds = { contacts: { vault: { daily: '500' }, bank: { daily: '500' } } }
    expect(await admitAll(bounds, sent)).toEqual([
      ...[undefined, undefined, 'guards.contacts.vault: 500 USD a day leaves 200, and this needs 300'],
    ])
  })

  test('under two spellings of one asset is the smaller one', async () => {
    const bounds = { assets: { usdc: { daily: '99' }, USDC: { daily: '1000' } } }
    expect(await admitAll(bounds, [withdrawal()])).toEqual([
      'guards.assets.usdc: 99 USDC a day leaves 99, and this needs 100',
    ])
  })

  test.each(['calendar', 'rolling'])(
    'by %s days is compared with its present limit, also for who has reserved',
    async (dailyWindow) => {
      const guardAt = (daily: string) => guardOf({ assets: { USDC: { daily } }, dailyWindow })
      await Promise.all(['a', 'b'].map(open))
      const [a, b] = ['a', 'b'].map((intentId) => withdrawal({ intentId })) as [GuardedMovement, GuardedMovement]
      for (const each of [a, b]) expect(await guardAt('200').admit(each)).toBeUndefined()
      expect(await guardAt('199').admit(a)).toContain('leaves 99, and this needs 100')
      expect(await guardAt('201').admit(a)).toBeUndefined()
    },
  )

  test('is raised for a dearer quote, and stays for a cheaper one', async () => {
    const bounds = { assets: { USDC: { daily: '120' } } }
    const [cheap, dear, dearer] = ['100', '110', '121'].map((amount) => conversion({ amount }))
    expect(await admitAll(bounds, [cheap, dear, cheap] as GuardedMovement[])).toEqual([undefined, undefined, undefined])
    expect(store.records.get('B#*#2026-01-05#asset:USDC')?.reserved).toEqual({ 'convert#intent-1': '110' })
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

  test('is not touched by a movement that another bound refuses without a request', async () => {
    const bounds = { dailyOutflow: { USDC: '100' }, assets: { USDC: { largest: '1' } } }
    await guardOf(bounds).admit(withdrawal())
    expect(store.records.size).toBe(0)
  })
})

test('a renamed policy keeps the rest of its day from the old name', async () => {
  const { admit } = guardOf({}, { monthly: { was: 'weekly' } })
  const terms = (name: string): MovementGuards => ({ policy: { name, guards: { assets: { USDC: { daily: '150' } } } } })
  await open('intent-1')
  const refused = await open('intent-2')
  await open('intent-3')
  expect(await admit(withdrawal({ guards: terms('weekly') }))).toBeUndefined()
  const renamed = { guards: terms('monthly') }
  expect(await admit(withdrawal({ ...renamed, intentId: 'intent-2' }))).toContain('150 USDC a day leaves 50')
  await end(refused)
  expect(await admit(withdrawal({ ...renamed, intentId: 'intent-3', amount: '50' }))).toBeUndefined()
  // With a second rename, or without the former name, the journal remembers all names.
  await rememberNames({ store, newId }, { monthly: { was: 'weekly' } })
  for (const [name, policies] of [
    ['monthly', {}],
    ['yearly', { yearly: { was: 'monthly' } }],
  ] as const) {
    const later = withdrawal({ intentId: 'intent-4', amount: '1', guards: terms(name) })
    expect(await guardOf({}, policies).admit(later)).toContain('150 USDC a day leaves 0')
  }
})
