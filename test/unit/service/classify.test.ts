// An answer of the service counts as temporary, final or unproven by its code, on the cautious side.
import { describe, expect, it } from 'vitest'
import { Transient } from '../../../core/errors.ts'
import { businessRefusals, kindOfRead, readError, serviceErrorOf } from '../../../core/service/classify.ts'
import { errorOf, problemOf, type ServiceProblem } from '../../../core/service/problem.ts'

function problem(code: string, status: number | undefined, more: Partial<ServiceProblem> = {}): ServiceProblem {
  return { endpoint: 'GET /v2/x', status, code, isDocument: true, retryable: false, extensions: {}, ...more }
}

function fault(code: string, status: number | undefined): ServiceProblem {
  return problem(code, status, { isDocument: false })
}

const KEY_CODES: [string, number][] = [
  ['unauthorized', 401],
  ['key_expired', 401],
  ['key_revoked', 401],
  ['invalid_signature', 401],
  ['insufficient_scope', 403],
  ['ip_not_allowed', 403],
  ['api_access_disabled', 403],
  ['two_factor_required', 403],
]

describe('kindOfRead', () => {
  it.each([
    ['clock_skew', 401],
    ['nonce_reused', 401],
    ['internal_error', 500],
    ['downstream_unavailable', 502],
    ['maintenance', 503],
  ])('takes %s as temporary', (code, status) => {
    expect(kindOfRead(problem(code, status))).toBe('Transient')
  })

  it('takes a used up rate limit as temporary, under its own name', () => {
    expect(kindOfRead(problem('rate_limited', 429))).toBe('RateLimited')
    expect(errorOf('RateLimited', problem('rate_limited', 429))).toBeInstanceOf(Transient)
  })

  it.each([
    ['validation_error', 400],
    ['not_found', 404],
    ['unprocessable', 422],
  ])('takes %s as a refusal, whatever its flag says', (code, status) => {
    expect(kindOfRead(problem(code, status, { retryable: true }))).toBe('Refused')
  })

  it.each(KEY_CODES)('takes %s as a fault of the key, and not as a refusal of the request', (code, status) => {
    expect(kindOfRead(problem(code, status, { retryable: true }))).toBe('KeyFault')
  })

  it('branches on the code and not on the status', () => {
    expect(kindOfRead(problem('maintenance', 400))).toBe('Transient')
    expect(kindOfRead(problem('validation_error', 500))).toBe('Refused')
  })

  it('follows the flag for an unknown code', () => {
    expect(kindOfRead(problem('newer_than_us', 409, { retryable: true }))).toBe('RateLimited')
    expect(kindOfRead(problem('newer_than_us', 500, { retryable: false }))).toBe('Refused')
  })

  it.each([
    ['no_answer', undefined, 'Transient'],
    ['timed_out', undefined, 'Transient'],
    ['timed_out', 200, 'Transient'],
    ['cut_off', 200, 'Transient'],
    ['not_json', 200, 'Transient'],
    ['not_a_problem', 502, 'Transient'],
    ['not_a_problem', 404, 'Transient'],
    ['body_too_large', 502, 'Transient'],
    ['body_too_large', 200, 'Defect'],
    ['redirected', 302, 'Defect'],
    ['unexpected_status', 204, 'Defect'],
  ])('takes %s with status %s as %s', (code, status, kind) => {
    expect(kindOfRead(fault(code, status))).toBe(kind)
  })
})

describe('readError', () => {
  it('carries the literal name, the problem and one sentence', () => {
    const refused = problem('not_found', 404, { detail: 'no such order', reason: 'why', traceId: 't-1' })
    const error = readError(refused)
    expect(problemOf(error)).toEqual(refused)
    expect(error).toMatchObject({
      name: 'Refused',
      message: 'GET /v2/x: the service answered 404 not_found (reason why): no such order [trace t-1]',
    })
  })
})

describe('saidOf', () => {
  it.each([...businessRefusals])('takes %s as a business refusal', (code) => {
    expect(serviceErrorOf(problem(code, 400)).business).toBe(true)
  })

  it.each([
    'quotation_expired',
    'nonce_reused',
    'clock_skew',
    'rate_limited',
    'internal_error',
    'unauthorized',
    'invalid_signature',
    'not_found',
    'newer_than_us',
  ])('takes %s neither as proof nor as a business refusal', (code) => {
    expect(serviceErrorOf(problem(code, 409, { retryable: true }))).toMatchObject({
      code,
      status: 409,
      business: false,
    })
  })

  it('takes an unknown code as a business refusal only where the service says that no retry may succeed', () => {
    expect(serviceErrorOf(problem('address_cooldown', 422, { retryable: false })).business).toBe(true)
    const { retryable: _flag, ...silent } = problem('address_cooldown', 422)
    expect(serviceErrorOf(silent).business).toBe(false)
  })

  it.each(['quotation_expired', 'rate_limited', 'not_found', 'nonce_reused', 'unauthorized'])(
    'takes %s as no business refusal, whatever its flag says',
    (code) => {
      expect(serviceErrorOf(problem(code, 409, { retryable: false })).business).toBe(false)
    },
  )

  it('never takes the text of something between us and the service as a business refusal', () => {
    expect(serviceErrorOf(fault('validation_error', 400)).business).toBe(false)
  })

  it('leaves the status out when there was no answer', () => {
    expect(serviceErrorOf(fault('no_answer', undefined))).toEqual({
      code: 'no_answer',
      business: false,
      text: 'GET /v2/x: no answer',
    })
  })
})
