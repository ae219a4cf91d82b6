// A name of a policy leads to its machine and keys, or to the nearest known name.
import { expect, test } from 'vitest'
import { policy } from '../../../core/contract/policies.ts'
import { treasury } from '../../../core/contract/treasury.ts'
import { findPolicy, keyRolesOf, policyOf, verbOf } from '../../../place/named-policy.ts'

const policies = {
  core: { kind: 'rebalance', weights: { BTC: '0.5', USD: '0.5' } },
  nightly: { kind: 'sweep', rules: [{ contactId: 'c-1' }] },
  euros: { kind: 'sweep', rules: [{ contactId: 'c-1', convertInto: 'EUR' }] },
  payout: { kind: 'convert-and-withdraw', from: 'BTC', into: 'USD', contactId: 'c-1' },
  float: { kind: 'fund', asset: 'USD', atLeast: '10', from: [{ asset: 'BTC' }] },
  arrivals: { kind: 'convert-on-arrival', asset: 'BTC', into: 'USD' },
}
const file = treasury.parse({ service: { url: 'https://api.example.com', stage: 'test' }, policies })

test.each([
  ['core', 'rebalance', ['trade']],
  ['float', 'rebalance', ['trade']],
  ['arrivals', 'rebalance', ['trade']],
  ['nightly', 'sweep', ['transfer']],
  ['euros', 'sweep', ['trade', 'transfer']],
  ['payout', 'sweep', ['trade', 'transfer']],
] as const)('policy %s is run by %s, with the keys %j', (name, verb, roles) => {
  const found = findPolicy(name, file, 'policy')
  expect(verbOf(found)).toBe(verb)
  expect(keyRolesOf(found)).toEqual(roles)
  expect(policyOf({ policy: name }, verb, file)).toBe(found)
  expect(policyOf({ policy: found }, verb, file)).toBe(found)
})

test('an unknown name is answered with the nearest, or with all', () => {
  expect(() => findPolicy('nihgtly', file, 'policy')).toThrow('did you mean "nightly"?')
  expect(() => findPolicy('x', file, 'policy')).toThrow('treasury.json has core, nightly, euros')
  expect(() => findPolicy('constructor', file, 'policy')).toThrow('expected the name of a policy')
})

test('after an unknown name a person lists the policies', () => {
  expect(() => findPolicy('x', file, 'policy')).toThrow(expect.objectContaining({ next: { do: 'list-policies' } }))
})

test('a policy of the other machine is refused by its kind', () => {
  expect(() => policyOf({ policy: 'core' }, 'sweep', file)).toThrow('got one of kind rebalance')
  const inline = policy.parse(policies.nightly)
  expect(() => policyOf({ policy: inline }, 'rebalance', file)).toThrow('got one of kind sweep')
})
