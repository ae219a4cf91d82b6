// Tests the limits that guards set for a plan: the smallest of all that apply, with today's rest of each budget.
import { expect, test } from 'vitest'
import { policy as policySchema } from '../../../core/contract/policies.ts'
import type { Budget } from '../../../core/journal/budgets.ts'
import { daysOf } from '../../../core/journal/sending-days.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'
import { guardSetsOf, readLimits } from '../../../core/runs/plan/limits.ts'
import { treasuryWith } from '../../helpers/run-world.ts'

const DAY = '2026-01-01'
const settled = (code: string) => code.toUpperCase()
const decimal = (text: string) => parseDecimal(text, 'test')

async function limitsOf(guards: object, own: object, taken: Record<string, string> = {}, more: object = {}) {
  const policy = policySchema.parse({ kind: 'rebalance', weights: { A: '1' }, guards: own, ...more })
  const treasury = treasuryWith({ weekly: policy }, guards as Record<string, unknown>)
  const budgets = {
    left: async ({ scope, span, assetSymbol }: Budget, limit: bigint) =>
      (limit - decimal(taken[`${scope} ${daysOf(span).join()} ${assetSymbol}`] ?? '0')) as never,
  }
  const limits = { valuationAsset: 'USD', nowMs: Date.parse(DAY), settled, markets: ['A-USD', 'B-USD', 'C-USD'] }
  return readLimits(guardSetsOf('weekly', policy, { treasury }), limits, budgets)
}

test('without guards there are no limits', async () => {
  const limits = await limitsOf({}, {})
  expect(limits).toEqual({ assets: new Map(), contacts: new Map(), outflow: new Map() })
})

test('the tighter bound of the deployment and the policy counts, each with its own budget', async () => {
  const limits = await limitsOf(
    { total: { largest: '100', daily: '500' }, assets: { a: { daily: '9' } }, worstSlippageBps: 50 },
    { total: { largest: '200', daily: '400' }, assets: { A: { largest: '3', daily: '8' } }, worstSlippageBps: 80 },
    { [`* ${DAY} value:USD`]: '450', [`weekly ${DAY} value:USD`]: '10', [`* ${DAY} asset:A`]: '2' },
  )
  expect(limits).toMatchObject({ largestValue: decimal('100'), leftTodayValue: decimal('50'), worstSlippageBps: 50 })
  expect(limits.assets.get('A')).toEqual({ largest: decimal('3'), leftToday: decimal('7') })
})

test('payments to a contact are bounded for all and for the policy, by value', async () => {
  const limits = await limitsOf(
    { contacts: { c1: { daily: '100' } } },
    { contacts: { c1: { largest: '60' } } },
    { [`contact:c1 ${DAY} value:USD`]: '30' },
  )
  expect(limits.contacts.get('c1')).toEqual({ largestValue: decimal('60'), leftTodayValue: decimal('70') })
})

test('a daily outflow bounds withdrawals and not conversions', async () => {
  const limits = await limitsOf({ dailyOutflow: { a: '5' } }, {}, { [`* ${DAY} A`]: '2' })
  expect(limits.outflow?.get('A')).toBe(decimal('3'))
  expect(limits.assets.size).toBe(0)
})

test('an item is allowed if every list allows it', async () => {
  const limits = await limitsOf(
    { allowedMarkets: ['A-USD', 'B-USD'], allowedContacts: ['c1'] },
    { allowedMarkets: ['b-usd', 'C-USD', 'X-USD'] },
  )
  expect(limits.allowedMarkets).toEqual(new Set(['B-USD']))
  expect(limits.allowedContacts).toEqual(new Set(['c1']))
})

test('a bound in another valuation asset is left to the check before each ARM', async () => {
  const limits = await limitsOf(
    { total: { largest: '100' } },
    { total: { largest: '90' } },
    {},
    { valuationAsset: 'EUR' },
  )
  expect(limits.largestValue).toBe(decimal('100'))
})
