// Tests the properties that all policy kinds share, and the order in which they are compared.
import { describe, expect, test } from 'vitest'
import { guards } from '../../../core/contract/guards.ts'
import { PolicyKind, policy as policySchema } from '../../../core/contract/policies.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import {
  contactIdsOf,
  depositAssetOf,
  isConverting,
  isWithdrawing,
  machineOf,
  takesRows,
} from '../../../core/policies/kinds.ts'
import { offeredKinds, setups, withdrawingKinds } from '../../../core/policies/setups.ts'
import { findPolicyFaults } from '../../../core/treasury/policy-rules.ts'

const EXAMPLES = {
  rebalance: { weights: { BTC: '1' } },
  fund: { asset: 'BTC', atLeast: '1', from: [{ asset: 'USDC' }] },
  'convert-on-arrival': { asset: 'ETH', into: 'BTC' },
  sweep: { rules: [{ assets: ['ETH'], contactId: 'cold' }] },
  'convert-and-withdraw': { from: 'ETH', into: 'BTC', contactId: 'cold' },
  payouts: { assets: ['BTC'], from: [{ asset: 'ETH' }] },
} satisfies Record<PolicyKind, object>
const parse = (kind: PolicyKind, more: object = {}) => policySchema.parse({ kind, ...EXAMPLES[kind], ...more })

test('init offers every kind, in the order of the contract', () => {
  expect(offeredKinds).toEqual(Object.values(PolicyKind))
})

describe.each(Object.values(PolicyKind))('%s', (kind) => {
  const policy = parse(kind)

  test('withdraws exactly if init names its sent asset, and the Sweep machine runs it', () => {
    expect({ sent: withdrawingKinds.includes(kind), machine: machineOf(policy) }).toEqual({
      sent: isWithdrawing(policy),
      machine: isWithdrawing(policy) ? StateMachine.Sweep : StateMachine.Rebalance,
    })
  })

  test('is asked for its contact by init exactly if it has contacts before a run gives rows', () => {
    expect(setups[kind].asks.includes('contact')).toBe(contactIdsOf(policy).length > 0)
    expect(takesRows(policy) || isWithdrawing(policy) === contactIdsOf(policy).length > 0).toBe(true)
  })

  test('is drafted from the answers to its own questions alone, as a policy of its kind', () => {
    const asked = new Set<string>()
    const draft = setups[kind].draft((flag) => {
      asked.add(flag)
      return flag === 'weights' ? 'BTC=1' : flag === 'keep' || flag === 'at-least' ? '1' : `${flag[0]}SET`.toUpperCase()
    })
    expect([...asked].sort()).toEqual([...setups[kind].asks].sort())
    expect(setups[kind].asks).toContain(setups[kind].convertedBy)
    expect(policySchema.safeParse({ kind, ...draft }).error).toBeUndefined()
  })
})

test('a sweep converts only if one of its rules does', () => {
  const rules = [{ assets: ['ETH'], contactId: 'cold', convertInto: 'BTC' }]
  expect([isConverting(parse('sweep')), isConverting(parse('sweep', { rules }))]).toEqual([false, true])
})

test('a deposit starts a conversion on arrival, unless the policy declines, and no other kind', () => {
  expect(Object.values(PolicyKind).map((kind) => depositAssetOf(parse(kind)))).toEqual(
    Object.values(PolicyKind).map((kind) => (kind === 'convert-on-arrival' ? 'ETH' : undefined)),
  )
  expect(depositAssetOf(parse('convert-on-arrival', { onDeposit: false }))).toBeUndefined()
})

test.each([
  ['sweep', 'convert-on-arrival'],
  ['convert-on-arrival', 'convert-and-withdraw'],
  ['sweep', 'convert-and-withdraw'],
] as const)('if %s and %s take one asset, the second is reported wherever it stands in the file', (first, second) => {
  const [one, other] = [parse(first), parse(second)]
  const reported = [
    { one, other },
    { other, one },
  ].map((policies) =>
    findPolicyFaults({ guards: guards.parse({}), policies })
      .filter(({ message }) => message.includes('no asset that another policy takes'))
      .map(({ path }) => path[1]),
  )
  expect(reported).toEqual([['other'], ['other']])
})
