// Times are read in each form in which the service may write them.
import { expect, test } from 'vitest'
import { instant } from '../../../core/service/fields.ts'

test.each(['2026-01-31T09:00:00Z', '2026-01-31T09:00:00.123456789Z', '2026-01-31T09:00:00.123+02:00'])(
  'a time as the service may write it is taken: %s',
  (text) => {
    expect(instant.safeParse(text).success).toBe(true)
  },
)

test.each([
  '2026-01-31T09:00:00',
  '2026-02-30T09:00:00Z',
  'tomorrow',
  // A quote's end goes into a state and into the journal: neither holds a megabyte of digits.
  `2026-01-31T09:00:00.${'0'.repeat(300_000)}Z`,
])('an invalid time is no time', (text) => {
  expect(instant.safeParse(text).success).toBe(false)
})
