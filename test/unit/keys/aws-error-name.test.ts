import { expect, test } from 'vitest'
import { awsErrorName } from '../../../core/keys/aws-limits.ts'

const named = (name: string, message = '') => Object.assign(new Error(message), { name })

test.each([
  [named('AccessDeniedException', 'a message that may quote the request'), 'AccessDeniedException'],
  [new Error('Region is missing'), 'RegionMissing'],
  [named('a name with spaces'), 'unknown error'],
  ['no error', 'unknown error'],
])('%j is named %s', (error, name) => {
  expect(awsErrorName(error)).toBe(name)
})
