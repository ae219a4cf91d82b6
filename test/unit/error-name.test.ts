// An error is shown by a name or a code that cannot contain a secret.
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { BareError, bareCause, errorName, errorText, findConnectionCode } from '../../core/error-name.ts'
import { Transient } from '../../core/errors.ts'

const SECRET = 'a message that quotes the request'
const named = (name: string, rest: object = {}) => Object.assign(new Error(SECRET), { name, ...rest })
const coded = (code: string, rest: object = {}) => named('Error', { code, ...rest })
const because = (cause: unknown, name = 'Error') => named(name, { cause })

test.each([
  ['an answer of AWS', named('AccessDeniedException'), 'AccessDeniedException'],
  ['no region', new Error('Region is missing'), 'RegionMissing'],
  ['a refused port', coded('ECONNREFUSED'), 'ECONNREFUSED'],
  ['a reset that the SDK calls a time-out', named('TimeoutError', { code: 'ECONNRESET' }), 'ECONNRESET'],
  ['a time-out of the SDK', named('TimeoutError'), 'TimeoutError'],
  ['a failed fetch', because(coded('ENOTFOUND'), 'TypeError'), 'ENOTFOUND'],
  ['a certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['two addresses of one name', new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'ECONNREFUSED'],
  ['a name with spaces', named('a name with spaces'), 'unknown error'],
  ['a code with spaces', coded('NO CODE'), 'Error'],
  ['no error', 'no error', 'unknown error'],
])('%s is decided by its own name, or by the code of its cause', (_what, error, name) => {
  expect(errorName(error)).toBe(name)
})

test.each([
  'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2ln',
  'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOi_4In0.c2l-bg_w',
  'eyJhbGci-iJFZERTQSJ9',
  'x-eyJhbGciOiJFZERTQSJ9',
  'token_eyJhbGciOiJFZERTQSJ9',
  'svc_live_0123456789abcdefghijABCDEFGHIJxxxxxxxx',
])('a name that contains a token is not shown: %s', (name) => {
  expect(errorText(named(name))).toBe('unknown error')
  expect(errorText(named(name, { code: 'ECONNRESET' }))).toBe('ECONNRESET')
  expect(inspect(new Transient('no answer', bareCause(named(name))), { depth: 9 })).not.toContain(name)
})

test.each(['invalid-request', 'Proxy_Error', 'KeyJournalError', 'com.amazonaws.kms-2.KeyJwkException'])(
  'a name with dashes, underscores and dots is shown: %s',
  (name) => {
    expect(errorText(named(name))).toBe(name)
  },
)

test.each([
  [new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]), 'ECONNREFUSED, ENETUNREACH'],
  [new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]), 'ECONNREFUSED'],
  [because(coded('ENOTFOUND'), 'CredentialsProviderError'), 'CredentialsProviderError, ENOTFOUND'],
  [because(because(because(coded('EPIPE')))), 'EPIPE'],
  [named('ThrottlingException', { $metadata: { httpStatusCode: 400 } }), 'ThrottlingException'],
  [named('SyntaxError', { $metadata: { httpStatusCode: 502 } }), 'SyntaxError, HTTP 502'],
  [named('Unknown', { $metadata: { httpStatusCode: 302 } }), 'Unknown, HTTP 302'],
])('a message names the error and its causes, each once', (error, text) => {
  expect(errorText(error)).toBe(text)
  expect(findConnectionCode(error)).toBe(/E[A-Z]{4,}/.exec(text.replace('CredentialsProviderError', ''))?.[0])
})

test('an error that is its own cause is read once', () => {
  const error = coded('EPIPE')
  error.cause = error
  expect(errorText(error)).toBe('EPIPE')
  expect(errorText(new BareError(error))).toBe('EPIPE')
})

test.each(['ENOENT', 'EACCES', 'ENOSPC'])('%s of a file is no failure of a connection', (code) => {
  expect(findConnectionCode(coded(code))).toBeUndefined()
})

test.each([
  because(coded('ECONNRESET'), 'CredentialsProviderError'),
  named('AccessDeniedException', { $metadata: { requestId: SECRET }, Message: SECRET }),
  new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')], SECRET),
  new Error('Region is missing'),
])('a bare cause keeps only the names and codes, whoever prints it', (error) => {
  const kept = new Transient('the journal did not answer', bareCause(error))
  expect(errorText(kept.cause)).toBe(errorText(error))
  expect(findConnectionCode(kept)).toBe(findConnectionCode(error))
  expect(inspect(kept, { depth: 9, showHidden: true })).not.toContain(SECRET)
})

test('a value that is no error has no cause', () => {
  expect(bareCause('text')).toEqual({})
})
