import { expect, test } from 'vitest'
import type { SigningVerdict } from '../../../../operations/connection/service/probe-signing.ts'
import { judged } from '../../../../operations/doctor/key-checks.ts'

const judge = (verdict: SigningVerdict, code?: string) =>
  judged('signing to trade', { verdict, text: 'what was said', ...(code !== undefined && { code }) })

test('a signature that was taken is well', () => {
  expect(judge('registered', 'unprocessable')).toMatchObject([{ check: 'signing to trade', status: 'ok', next: null }])
})

test.each<[SigningVerdict, string]>([
  ['not_registered', 'invalid_signature'],
  ['not_known', 'insufficient_scope'],
  ['not_known', 'no_answer'],
])('%s, with %s, fails and says what to do', (verdict, code) => {
  expect(judge(verdict, code)).toMatchObject([
    { check: 'signing to trade', status: 'fail', next: expect.stringMatching(/./) },
  ])
})

test('two-factor authentication in the way is told as that', () => {
  expect(judge('not_known', 'two_factor_required')).toMatchObject([{ check: 'two-factor', status: 'fail' }])
})

test('an address that accepts what cannot be done is not to be used', () => {
  expect(judge('accepted')).toMatchObject([
    { status: 'fail', next: expect.stringContaining('do not use this address') },
  ])
})
