import { expect, test } from 'vitest'
import { describedCheck } from '../../../../cli/doctor/journal-check.ts'

const table = { TableStatus: 'ACTIVE', KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }] } as const

test.each([
  [{ ...table, KeySchema: [...table.KeySchema], DeletionProtectionEnabled: true }, 'ok', /is ACTIVE$/],
  [{ ...table, KeySchema: [...table.KeySchema] }, 'ok', /is ACTIVE$/],
  [{ ...table, KeySchema: [...table.KeySchema], DeletionProtectionEnabled: false }, 'warn', /may be deleted/],
  [{ TableStatus: 'CREATING' as const, KeySchema: [...table.KeySchema] }, 'fail', /is CREATING/],
  [
    { TableStatus: 'ACTIVE' as const, KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }] },
    'fail',
    /another key/,
  ],
  [{ TableStatus: 'ACTIVE' as const }, 'fail', /another key/],
])('the table %j is %s', (described, status, detail) => {
  expect(describedCheck(described)).toMatchObject({ status, detail: expect.stringMatching(detail) })
})
