import { expect, test } from 'vitest'
import { policy as policySchema } from '../../../functions/contract/policies.ts'
import { createPolicyTerms } from '../../../functions/shared/guarding/policy-terms.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const policyOf = (change: object = {}) =>
  policySchema.parse({ kind: 'fund', asset: 'USD', atLeast: '1', from: [{ asset: 'BTC' }], ...change })
const LOOSE = { total: { daily: '1000' } }
const TIGHT = { total: { daily: '1' } }

async function termsWith() {
  const store = createMemoryStore()
  const asPlanned = policyOf({ guards: LOOSE, valuationAsset: 'EUR', hubs: ['USDC'] })
  await store.create({ pk: 'R#run-1', version: 1, stamp: 'a', policy: 'payroll', asPlanned, legs: [] })
  await store.create({ pk: 'R#run-2', version: 1, stamp: 'a', policy: 'payroll' })
  return createPolicyTerms({ payroll: policyOf({ guards: TIGHT }) }, store)
}

test('nothing moves on behalf of a policy that is not named', async () => {
  expect(await (await termsWith()).find({})).toBeUndefined()
})

test('without a run the policy is the one of treasury.json', async () => {
  expect(await (await termsWith()).find({ policy: 'payroll' })).toEqual({ name: 'payroll', guards: TIGHT })
})

test('a run brings the policy as it was when it was planned', async () => {
  expect(await (await termsWith()).find({ policy: 'payroll', run: 'run-1' })).toEqual({
    ...{ name: 'payroll', guards: LOOSE, valuationAsset: 'EUR', hubs: ['USDC'] },
  })
})

test.each<[string, object, string, string]>([
  ['a policy that nobody wrote', { policy: 'weekly' }, 'Refused', 'input.policy: treasury.json has no policy weekly'],
  ['what every object has', { policy: 'constructor' }, 'Refused', 'input.policy: treasury.json has no policy'],
  ['a run that nobody began', { policy: 'payroll', run: 'run-9' }, 'Refused', 'input.run: no run has this id'],
  ['the run of another policy', { policy: 'weekly', run: 'run-1' }, 'Refused', 'input.policy: expected payroll'],
  ['a run without its policy', { run: 'run-1' }, 'Refused', 'input.policy: expected payroll'],
  ['a record that holds no policy', { policy: 'payroll', run: 'run-2' }, 'Defect', 'the record of run run-2'],
])('%s is not passed over', async (_, request, name, message) => {
  const caught = await (await termsWith()).find(request).catch((error: Error) => error)
  expect(caught).toMatchObject({ name, message: expect.stringContaining(message) })
})
