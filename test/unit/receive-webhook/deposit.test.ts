// A deposit concerns exactly the policies that wait for its asset.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findDeposit, policiesFor } from '../../../functions/receive-webhook/receive-webhook.ts'
import { policies } from '../../helpers/policies.ts'

const bytes = (event: unknown) => Buffer.from(typeof event === 'string' ? event : JSON.stringify(event))
const startedBy = (event: unknown) => {
  const deposit = findDeposit(bytes(event))
  return deposit === undefined ? undefined : policiesFor(deposit, policies)
}

test.each([
  ['under data', { type: 'deposit.credited', data: { assetSymbol: 'BTC', amount: '1' } }],
  ['in the settled block alone', { type: 'deposit.status.updated', data: { base: { asset: 'BTC' } } }],
  ['at the top', { event: 'DEPOSIT_COMPLETED', assetSymbol: 'btc' }],
  ['in a payload', { eventType: 'deposits.created', payload: { deposit: { asset: 'BTC' } } }],
])('a deposit of an asset, named %s, concerns the policies that convert that asset', (_where, event) => {
  expect(startedBy(event)).toEqual(['btc-in', 'btc-in-too'])
})

test('a deposit of an equity concerns the policy of its settled code, named as the rebased ticker beside it', () => {
  const data = { assetSymbol: 'TSLAX', amount: '1', multiplier: '2', base: { asset: 'TSLASPV', amount: '0.5' } }
  expect(startedBy({ type: 'deposit.credited', data })).toEqual(['tesla-in'])
})

test('a deposit without an asset concerns every policy that waits for a deposit', () => {
  expect(startedBy({ type: 'deposit.credited', data: { id: 'd-1' } })).toEqual(['btc-in', 'btc-in-too', 'tesla-in'])
})

test('a policy that declines deposits is not started', () => {
  expect(startedBy({ type: 'deposit.credited', data: { assetSymbol: 'ETH' } })).toEqual([])
})

test.each([
  ['of a withdrawal', { type: 'withdrawal.status.updated', data: { assetSymbol: 'BTC' } }],
  ['that says deposit elsewhere', { type: 'order.filled', data: { note: 'deposit', assetSymbol: 'BTC' } }],
  ['without a type', { data: { assetSymbol: 'BTC' } }],
  ['whose type is no text', { type: { deposit: true } }],
])('an event %s is no deposit', (_what, event) => {
  expect(startedBy(event)).toBeUndefined()
})

test('any input at all is read without a throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (body) => void findDeposit(body)))
  fc.assert(fc.property(fc.jsonValue(), (event) => void startedBy(event)))
  fc.assert(
    fc.property(fc.object({ maxDepth: 8 }), (event) => void startedBy({ ...event, type: 'deposit' })),
    { numRuns: 200 },
  )
})
