// A fault of AWS is temporary or lasting by its name, and its message shows nothing else of it.
import { expect, test } from 'vitest'
import { awsFault } from '../../core/aws-fault.ts'
import { OwnFault, Transient } from '../../core/errors.ts'

const named = (name: string) => Object.assign(new Error('quotes the request'), { name })

test.each(['AccessDeniedException', 'ResourceNotFoundException', 'UnrecognizedClientException'])(
  '%s stays until somebody corrects it',
  (name) => expect(awsFault('the journal did not answer a read', named(name))).toBeInstanceOf(OwnFault),
)

test.each(['ThrottlingException', 'TimeoutError', 'InternalServerError', 'ExpiredTokenException', 'unknown error'])(
  '%s may pass by itself',
  (name) => expect(awsFault('the journal did not answer a read', named(name))).toBeInstanceOf(Transient),
)

test("the message names the operation and the error's name alone", () => {
  expect(awsFault('the journal did not list intents', named('AccessDeniedException')).message).toBe(
    'the journal did not list intents (AccessDeniedException)',
  )
})

test('a failed connection is reported by its code, which stays as the cause', () => {
  const fault = awsFault('the journal did not answer a read', Object.assign(new Error(), { code: 'ECONNREFUSED' }))
  expect(fault).toMatchObject({
    message: 'the journal did not answer a read (ECONNREFUSED)',
    cause: { code: 'ECONNREFUSED' },
  })
})
