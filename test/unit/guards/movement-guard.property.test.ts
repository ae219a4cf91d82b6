// No request exceeds any bound, even with other requests at once.
import fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import type { GuardedMovement, MovementGuards } from '../../../core/guards/movement-guard.ts'
import type { Decimal } from '../../../core/money/decimal.ts'
import { conversion, dec, end, guardOf, open, startAnew, store, withdrawal } from './guarded-movements.ts'

beforeEach(startAnew)

describe('movements under random bounds', () => {
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

  test('no movement is above its largest bound, and no day above its figure', async () => {
    await fc.assert(
      fc.asyncProperty(set, set, set, fc.array(moving, { maxLength: 12 }), async (everywhere, one, two, movements) => {
        startAnew()
        const guard = guardOf(everywhere)
        const admitted: { readonly scope: string | undefined; readonly movement: GuardedMovement }[] = []
        for (const [at, { isConversion, policy: name, ends, ...what }] of movements.entries()) {
          const intent = await open(`intent-${at}`)
          const guards: MovementGuards = {
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

  test('ten at once never get more than the day has, and every possible one is admitted', async () => {
    const guard = guardOf({ total: { daily: '350' }, dailyOutflow: { USDC: '350' } })
    const guards = { unitValues: { USD: '1' } }
    const all = Array.from({ length: 10 }, (_, at) => withdrawal({ intentId: `intent-${at}`, guards }))
    await Promise.all(all.map(({ intentId }) => open(intentId)))
    const refusals = await Promise.all(all.map((movement) => guard.admit(movement)))
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(3)
    const reserved = store.records.get('B#*#2026-01-05#value:USD')?.reserved as Record<string, string>
    expect(Object.values(reserved).reduce((sum, text) => sum + dec(text), 0n as Decimal as bigint)).toBe(dec('300'))
  })
})
