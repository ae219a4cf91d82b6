// A person learns why the journal could not be read, and what to do.

import { expect, test } from 'vitest'
import { bareCause } from '../../../../core/error-name.ts'
import { Defect, Refused, Transient } from '../../../../core/errors.ts'
import { journalFailure } from '../../../../place/journal/journal-failure.ts'
import type { OperationError } from '../../../../place/operation-error.ts'
import { spell } from '../../../helpers/spell.ts'

const named = (name: string, message = 'quotes the request') => Object.assign(new Error(message), { name })

test.each([
  [named('AccessDeniedException'), 'the journal could not be read (AccessDeniedException)', 'credentials'],
  [
    named('CredentialsProviderError'),
    'no AWS credentials were found: the journal could not be read (CredentialsProviderError)',
    'AWS_PROFILE',
  ],
  [
    named('CredentialsProviderError', 'The SSO session associated with this profile has expired.'),
    'the sign-in to AWS has expired: the journal could not be read (SignInExpired)',
    'aws sso login',
  ],
  [named('ResourceNotFoundException'), 'the journal could not be read (ResourceNotFoundException)', 'deploy'],
  [
    named('Error', 'Region is missing'),
    'no AWS region is set: the journal could not be read (RegionMissing)',
    'AWS_REGION',
  ],
  [
    new Transient('the journal did not answer a read', bareCause(named('Error', 'Region is missing'))),
    'no AWS region is set: the journal did not answer a read',
    'AWS_REGION',
  ],
  [
    Object.assign(named('Error'), { code: 'ENOTFOUND' }),
    'the journal could not be read (ENOTFOUND)',
    'the host name does not resolve; then try again',
  ],
  [
    new Transient('no confirmation (ECONNRESET)', bareCause(Object.assign(named('Error'), { code: 'ECONNRESET' }))),
    'no confirmation (ECONNRESET)',
    'closed before an answer; then run the same command again',
  ],
  [new Transient('the journal did not answer'), 'the journal did not answer', 'run the same command again'],
])('%s ends with exit 1 and the next step', (error, message, next) => {
  const failure = journalFailure(error) as OperationError
  expect(failure).toMatchObject({ exitCode: 1, message })
  expect(spell(failure.next)).toContain(next)
})

test.each([new Refused('no'), new Defect('a bug'), named('TypeError')])('%s is left as it is', (error) => {
  expect(journalFailure(error)).toBe(error)
})
