import { expect, test } from 'vitest'
import { journalFailure } from '../../../../../cli/target/journal/journal-failure.ts'
import { Defect, Refused, Transient } from '../../../../../core/errors.ts'

const named = (name: string, message = 'quotes the request') => Object.assign(new Error(message), { name })

test.each([
  [named('AccessDeniedException'), 'the journal could not be looked at (AccessDeniedException)', 'credentials'],
  [named('CredentialsProviderError'), 'the journal could not be looked at (CredentialsProviderError)', 'AWS_PROFILE'],
  [named('ResourceNotFoundException'), 'the journal could not be looked at (ResourceNotFoundException)', 'deploy'],
  [named('Error', 'Region is missing'), 'the journal could not be looked at (no region)', 'AWS_REGION'],
  [new Transient('the journal did not answer'), 'the journal did not answer', 'run the same command again'],
])('%s ends with exit 1 and says what to do', (error, message, next) => {
  expect(journalFailure(error)).toMatchObject({ exitCode: 1, message, next: expect.stringContaining(next) })
})

test.each([new Refused('no'), new Defect('a bug'), named('TypeError')])('%s is left as it is', (error) => {
  expect(journalFailure(error)).toBe(error)
})
