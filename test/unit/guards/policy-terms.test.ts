// The step that sends judges by the policy of the deployed file and the approved plan, and not by its input.
import { describe, expect, test } from 'vitest'
import { policy as policySchema } from '../../../core/contract/policies.ts'
import { type ApprovedLegSource, createPolicyTerms } from '../../../core/guards/policy-terms.ts'
import { rememberNames } from '../../../core/journal/policy-names.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const policyOf = (change: object = {}) =>
  policySchema.parse({ kind: 'fund', asset: 'USD', atLeast: '1', from: [{ asset: 'BTC' }], ...change })
const LOOSE = { total: { daily: '1000' } }
const TIGHT = { total: { daily: '1' } }
const NOT_AFTER = '2026-01-01T00:15:00.000Z'
const SELL = { baseAsset: 'BTC', quoteAsset: 'USD', side: 'SELL', amountAsset: 'BTC', amount: '0.5' }
const BUY = { baseAsset: 'ETH', quoteAsset: 'USD', side: 'BUY', amountAsset: 'USD', amount: '900' }
const RUN_1 = { policy: 'payroll', run: 'run-1', notAfter: NOT_AFTER }
const LEG = { ...SELL, ...RUN_1 }

async function storeOfRuns() {
  const store = createMemoryStore()
  const asPlanned = policyOf({ guards: LOOSE, valuationAsset: 'EUR', hubs: ['USDC'] })
  const plan = { legs: [{ key: 'sell', request: SELL }] }
  const changed = { key: 'buy', intentId: 'leg-2', leg: { key: 'buy', request: BUY } }
  const phases = [{ legs: [{ key: 'sell', intentId: 'leg-1' }] }, { legs: [changed] }]
  const run = { policy: 'payroll', asPlanned, notAfter: NOT_AFTER, plan, phases }
  await store.create({ pk: 'R#run-1', version: 1, format: 1, stamp: 'a', ...run })
  await store.create({ pk: 'R#run-4', version: 1, format: 1, stamp: 'a', ...run, guardsHash: 'ab12' })
  await store.create({ pk: 'R#run-3', version: 1, format: 1, stamp: 'a', ...run, phases: [] })
  const results = { 'leg-1': { outcome: 'EXHAUSTED', begunBy: 'run-1' }, 'leg-2': { outcome: 'FILLED' } }
  await store.create({ pk: 'R#run-5', version: 1, format: 1, stamp: 'a', ...run, results })
  await store.create({ pk: 'R#run-2', version: 1, format: 1, stamp: 'a', policy: 'payroll' })
  return store
}

async function termsWith(deployed: object = {}, findApproved: ApprovedLegSource = async () => undefined) {
  const store = await storeOfRuns()
  return createPolicyTerms({ payroll: policyOf({ guards: TIGHT, ...deployed }) }, store, findApproved)
}

test('nothing moves for a policy that is not named', async () => {
  expect(await (await termsWith()).find({}, 'one')).toBeUndefined()
})

test('without a run the policy is the one of treasury.json', async () => {
  expect(await (await termsWith()).find({ policy: 'payroll' }, 'one')).toEqual({ name: 'payroll', guards: TIGHT })
})

test('a leg of a run, as it was frozen, has the policy of treasury.json, whatever the record of its run says', async () => {
  const terms = await termsWith()
  const expected = { name: 'payroll', guards: TIGHT }
  expect(await terms.find(LEG, 'leg-1')).toEqual(expected)
  expect(await terms.find({ ...BUY, ...RUN_1 }, 'leg-2')).toEqual(expected)
})

test.each<[string, object, object]>([
  ['a leg of its run', LEG, {}],
  ['a movement on its behalf', { policy: 'payroll' }, {}],
  ['a leg, and the file names no former name', LEG, { was: undefined }],
])('a policy that was renamed twice meanwhile judges %s by the present file', async (_what, request, more) => {
  const store = await storeOfRuns()
  await rememberNames({ store, newId: () => 'b' }, { wages: { was: 'payroll' } })
  await rememberNames({ store, newId: () => 'c' }, { salaries: { was: 'wages' } })
  const salaries = policyOf({ guards: TIGHT, was: 'wages', ...more })
  const terms = createPolicyTerms({ salaries }, store, async () => undefined)
  expect(await terms.find(request, 'leg-1')).toEqual({ name: 'salaries', guards: TIGHT })
})

test('an approved run has the guards that the approval covers', async () => {
  const leg = { ...LEG, run: 'run-4' }
  expect(await (await termsWith()).find(leg, 'leg-1')).toMatchObject({ guards: TIGHT, guardsHash: 'ab12' })
})

test.each<[string, object, string]>([
  ['another intent', LEG, 'leg-9'],
  ['another amount under the id of a leg', { ...LEG, amount: '50' }, 'leg-1'],
  ['another leg’s request under the id of a leg', LEG, 'leg-2'],
  ['more time than the run has', { ...LEG, notAfter: '2027-01-01T00:00:00Z' }, 'leg-1'],
  ['a leg that is planned and not frozen', { ...LEG, run: 'run-3' }, 'leg-1'],
])('%s cannot borrow the guards and budgets of a run', async (_, request, intentId) => {
  const terms = await termsWith()
  await expect(terms.find(request, intentId)).rejects.toThrow('input.run: this is no leg of that run')
})

describe('of a policy that asks people above a value', () => {
  const approval = { above: '500' }

  test('a leg that nobody approved has that value as its bound, by the deployed file', async () => {
    const terms = await termsWith({ approval })
    expect(await terms.find(LEG, 'leg-1')).toEqual({ name: 'payroll', guards: TIGHT, unaskedAbove: '500' })
  })

  test.each<[string, object]>([
    ['guards', { guards: TIGHT }],
    ['rules of approval', { guards: LOOSE, approval }],
  ])('a leg that people approved is refused once the %s of its policy have changed', async (_what, deployed) => {
    const terms = await termsWith(deployed, async () => ({}))
    await expect(terms.find(LEG, 'leg-1')).rejects.toThrow('payroll has changed since people approved the run')
  })

  test('a leg that people approved is bound by no such value while its policy is the same', async () => {
    const terms = await termsWith({ guards: LOOSE }, async () => ({}))
    expect(await terms.find(LEG, 'leg-1')).toEqual({ name: 'payroll', guards: LOOSE })
  })
})

test('a run sends no row that it has left to another run', async () => {
  const terms = await termsWith()
  const left = await terms.find({ ...LEG, run: 'run-5' }, 'leg-1').catch((error: Error) => error)
  expect(left).toMatchObject({ name: 'Refused', message: expect.stringContaining('left this row to run run-1') })
  expect(await terms.find({ ...BUY, ...RUN_1, run: 'run-5' }, 'leg-2')).toMatchObject({ guards: TIGHT })
})

test.each<[string, object, string, string]>([
  ['a policy that nobody wrote', { policy: 'weekly' }, 'Refused', 'input.policy: treasury.json has no policy weekly'],
  ['what every object has', { policy: 'constructor' }, 'Refused', 'input.policy: treasury.json has no policy'],
  ['a run that nobody started', { policy: 'payroll', run: 'run-9' }, 'Refused', 'input.run: no run has this id'],
  ['the run of another policy', { policy: 'weekly', run: 'run-1' }, 'Refused', 'input.policy: expected payroll'],
  ['a run without its policy', { run: 'run-1' }, 'Refused', 'input.policy: expected payroll'],
  ['a record that holds no policy', { policy: 'payroll', run: 'run-2' }, 'Defect', 'the record R#run-2'],
])('%s is not ignored', async (_, request, name, message) => {
  const caught = await (await termsWith()).find(request, 'leg-1').catch((error: Error) => error)
  expect(caught).toMatchObject({ name, message: expect.stringContaining(message) })
})
