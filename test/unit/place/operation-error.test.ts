// An error of our own keeps its message for people.
import { expect, test } from 'vitest'
import { operationErrorOf } from '../../../place/operation-error.ts'

const SECRET = 'quotes the request'
const unexpected = (rest: object) => operationErrorOf(Object.assign(new Error(SECRET), rest))

test.each([
  ['an answer of AWS', { name: 'ValidationException', $fault: 'client', $metadata: {} }, 'ValidationException'],
  ['a connection that the SDK gave up', { code: 'ECONNREFUSED', $metadata: { attempts: 3 } }, 'ECONNREFUSED'],
  ['a failed fetch', { cause: Object.assign(new Error(SECRET), { code: 'ENOTFOUND' }) }, 'ENOTFOUND'],
])('an unexpected %s is reported by its names alone', (_what, rest, names) => {
  expect(unexpected(rest)).toMatchObject({ exitCode: 1, code: 'defect', message: `unexpected: ${names}` })
})

test('an error of our own code is reported with its message', () => {
  expect(operationErrorOf(new TypeError('x is undefined')).message).toBe('unexpected: TypeError: x is undefined')
})
