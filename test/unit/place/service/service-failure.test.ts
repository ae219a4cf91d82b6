// A person who meets an error of the service gets its own remedy.
import { expect, test } from 'vitest'
import { Defect, Refused, Transient } from '../../../../core/errors.ts'
import { errorOf, type ServiceProblem } from '../../../../core/service/problem.ts'
import { OperationError, usageError } from '../../../../place/operation-error.ts'
import { remedyFor, serviceFailure } from '../../../../place/service/service-failure.ts'

function problem(code: string, status = 403): ServiceProblem {
  return { endpoint: 'GET /v2/orders', status, code, isDocument: true, retryable: false, extensions: {} }
}

test.each([
  [errorOf('Refused', problem('insufficient_scope')), 1, 'refused', /create one with the missing scope/],
  [errorOf('Transient', problem('maintenance', 503)), 1, 'unreachable', /wait until the maintenance is over/],
  [errorOf('Defect', problem('redirected', 301)), 1, 'broken_answer', /redirects are not followed/],
  [errorOf('Refused', problem('a_new_code')), 1, 'refused', /look the code up/],
  [new Refused('service address: expected https'), 2, 'usage', /nothing was sent/],
  [new Transient('the list changed during the walk'), 1, 'unreachable', /^run the same command again$/],
  [new Defect('GET /v2/orders: id is missing'), 1, 'broken_answer', /violates the description/],
  [usageError('usage', 'x', 'y'), 2, 'usage', /^y$/],
  [new TypeError('x is undefined'), 1, 'defect', /report it/],
])('%s ends a command with exit %i, as %s', (error, exitCode, code, next) => {
  const failure = serviceFailure(error)
  expect(failure).toBeInstanceOf(OperationError)
  expect(failure).toMatchObject({ exitCode, code, next: expect.stringMatching(next) })
})

test("every error code in the service's description has its own remedy", () => {
  const codes = [
    ...['validation_error', 'unauthorized', 'key_expired', 'key_revoked', 'invalid_signature', 'clock_skew'],
    ...['insufficient_scope', 'ip_not_allowed', 'api_access_disabled', 'two_factor_required', 'not_found'],
    ...['rate_limited', 'internal_error', 'downstream_unavailable', 'maintenance', 'nonce_reused', 'unprocessable'],
  ]
  expect(codes.filter((code) => remedyFor(code) === remedyFor('no_such_code'))).toEqual([])
})
