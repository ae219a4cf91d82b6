// The doctor names why a key cannot sign, and an address that accepts the impossible.
import { expect, test } from 'vitest'
import { judged } from '../../../../operations/doctor/key-checks.ts'
import type { SigningVerdict } from '../../../../place/service/probe-signing.ts'

const judge = (verdict: SigningVerdict, code?: string) =>
  judged('signing to trade', { verdict, text: 'what was said', ...(code !== undefined && { code }) })

test('an accepted signature is fine', () => {
  expect(judge('registered', 'unprocessable')).toMatchObject([{ check: 'signing to trade', status: 'ok', next: null }])
})

test.each<[SigningVerdict, string]>([
  ['not_registered', 'invalid_signature'],
  ['not_known', 'insufficient_scope'],
  ['not_known', 'no_answer'],
])('%s, with %s, fails and gives the next step', (verdict, code) => {
  expect(judge(verdict, code)).toMatchObject([
    { check: 'signing to trade', status: 'fail', next: expect.stringMatching(/./) },
  ])
})

test('two-factor authentication is reported as the obstacle', () => {
  expect(judge('not_known', 'two_factor_required')).toMatchObject([{ check: 'two-factor', status: 'fail' }])
})

test('an address that accepts an impossible request must not be used', () => {
  expect(judge('accepted')).toMatchObject([
    { status: 'fail', next: expect.stringContaining('do not use this address') },
  ])
})
