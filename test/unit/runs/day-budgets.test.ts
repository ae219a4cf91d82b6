// A run reads as few of the day's reservations as its plan needs, and never fewer.

import { beforeEach, expect, test } from 'vitest'
import { ANY_INTENT, IntentState, intentName, recordKey } from '../../../core/contract/records.ts'
import { createBudgets } from '../../../core/journal/budgets.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'
import type { Planning } from '../../../core/runs/plan/answers.ts'
import { planRun } from '../../../core/runs/plan/plan-run.ts'
import { CONVERSION } from '../../helpers/intents.ts'
import { planning, type RunWorld, runWorld, START } from '../../helpers/run-world.ts'

const NOON = Date.parse('2026-01-01T12:00:00Z')
const TODAY = { scope: '*', assetSymbol: 'value:USD', span: { fromMs: NOON, toMs: NOON }, isRolling: false }
const decimal = (text: string) => parseDecimal(text, 'test')

let world: RunWorld
let intentsRead: string[]
beforeEach(() => {
  // The world's plan sells for 1,000 USD and buys for 1,005.
  world = runWorld(undefined, { total: { daily: '2500' } })
  intentsRead = []
})

/** Stays within the remaining value of the day, all or nothing. */
const careful: Planning = {
  ...planning,
  plan(name, policy, snapshot) {
    const { plan, required } = planning.plan(name, policy, snapshot)
    const left = snapshot.limits.leftTodayValue
    if (left === undefined || decimal(plan.turnover) <= left) return { plan, required }
    const nonLegs = [{ asset: 'A', code: 'guard', reason: 'too little is left of the day' }] as const
    return { plan: { ...plan, legs: [], nonLegs: [...nonLegs], turnover: '0' }, required }
  },
}

async function reserve(intentId: string, amount: string, state: IntentState): Promise<void> {
  const { journal } = world.ports
  const times = { createdAt: START, notAfter: START }
  await journal.open({ ...CONVERSION, intentId, ...times }, { state })
  const budgets = createBudgets(world.store, journal, () => `stamp-${intentId}`)
  expect(
    await budgets.reserve(TODAY, intentName('convert', intentId), decimal(amount), decimal('2500')),
  ).toBeUndefined()
}

function plan(execution: string) {
  const { store } = world
  const watched = {
    ...store,
    read: (pk: string) => {
      if (pk.startsWith(ANY_INTENT)) intentsRead.push(pk)
      return store.read(pk)
    },
  }
  const input = { execution, startedAt: START, request: { policy: 'weekly' } }
  return planRun(input, careful, world.portsOver(watched))
}

test('a plan that fits even if all reservations moved asks for no movement of the day', async () => {
  for (let n = 0; n < 40; n += 1) await reserve(`done-${n}`, '1', IntentState.Done)
  expect(await plan('run-1')).toMatchObject({ outcome: 'FIRST' })
  expect(intentsRead).toEqual([])
})

test('the reservations of certified zeros are available to a plan that needs them', async () => {
  await reserve('rejected', '1000', IntentState.Rejected)
  await reserve('done', '400', IntentState.Done)
  expect(await plan('run-1')).toMatchObject({ outcome: 'FIRST' })
})

test('moved amounts are not available, however often they are read', async () => {
  await reserve('done', '1000', IntentState.Done)
  expect(await plan('run-1')).toMatchObject({ outcome: 'GUARDED', why: 'too little is left of the day' })
  expect(intentsRead).toEqual([recordKey.intent('convert', 'done')])
})

test('an ended intent is read once for all budgets that it took from', async () => {
  world = runWorld(undefined, { total: { daily: '2500' }, assets: { A: { daily: '100' }, USD: { daily: '5000' } } })
  await reserve('done', '1000', IntentState.Done)
  await reserve('open', '10', IntentState.Ready)
  const budgets = createBudgets(world.store, world.ports.journal, () => 'stamp')
  for (const [asset, limit] of [
    ['A', '100'],
    ['USD', '5000'],
  ] as const) {
    for (const intentId of ['done', 'open']) {
      const budget = { ...TODAY, assetSymbol: `asset:${asset}` }
      expect(
        await budgets.reserve(budget, intentName('convert', intentId), decimal('1'), decimal(limit)),
      ).toBeUndefined()
    }
  }
  expect(await plan('run-1')).toMatchObject({ outcome: 'GUARDED' })
  const times = (intentId: string) => intentsRead.filter((pk) => pk === recordKey.intent('convert', intentId)).length
  expect(times('done')).toBe(1)
  expect(times('open')).toBeGreaterThanOrEqual(1)
})
