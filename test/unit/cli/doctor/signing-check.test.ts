import { expect, test } from 'vitest'
import { judged } from '../../../../cli/doctor/signing-check.ts'

const said = (code: string) =>
  ({ kind: 'unproven', said: { code, business: false, text: `the service answered ${code}` } }) as const

test.each(['unprocessable', 'not_found', 'quotation_expired', 'validation_error'])(
  'a refusal with %s shows that the signature was taken',
  (code) => {
    expect(judged(said(code)).map(({ check, status }) => [check, status])).toEqual([
      ['signing', 'ok'],
      ['two-factor', 'ok'],
    ])
  },
)

test.each(['invalid_signature', 'unauthorized', 'insufficient_scope', 'clock_skew', 'internal_error', 'no_answer'])(
  'after %s nothing is claimed of the signature',
  (code) => {
    expect(judged(said(code))).toMatchObject([{ check: 'signing', status: 'fail', next: expect.any(String) }])
  },
)

test('two-factor authentication in the way is told as that', () => {
  expect(judged(said('two_factor_required'))).toMatchObject([
    { check: 'signing', status: 'ok' },
    { check: 'two-factor', status: 'fail' },
  ])
})

test('an address that accepts an order for no quote is no service', () => {
  expect(judged({ kind: 'accepted', status: 'FILLED' })).toMatchObject([{ check: 'signing', status: 'fail' }])
})
