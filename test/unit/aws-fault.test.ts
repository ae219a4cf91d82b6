import { expect, test } from 'vitest'
import { awsFault } from '../../core/aws-fault.ts'
import { OwnFault, Transient } from '../../core/errors.ts'

test.each(['AccessDeniedException', 'ResourceNotFoundException', 'UnrecognizedClientException'])(
  '%s stays until somebody puts it right',
  (name) => expect(awsFault('the journal did not answer a read', name)).toBeInstanceOf(OwnFault),
)

test.each(['ThrottlingException', 'TimeoutError', 'InternalServerError', 'ExpiredTokenException', 'unknown error'])(
  '%s may pass by itself',
  (name) => expect(awsFault('the journal did not answer a read', name)).toBeInstanceOf(Transient),
)

test('what failed is told, and the name alone', () => {
  expect(awsFault('the journal did not list intents', 'AccessDeniedException').message).toBe(
    'the journal did not list intents (AccessDeniedException)',
  )
})
