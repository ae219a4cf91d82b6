// The doctor warns of a journal that may be deleted, and refuses a table that cannot be the journal.
import { expect, test } from 'vitest'
import { describedCheck } from '../../../../operations/doctor/journal-check.ts'

const GlobalSecondaryIndexes = ['listed', 'asked'].map((IndexName) => ({ IndexName, IndexStatus: 'ACTIVE' as const }))
const table = {
  TableStatus: 'ACTIVE' as const,
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  GlobalSecondaryIndexes,
}

test.each([
  [{ ...table, DeletionProtectionEnabled: true }, 'ok', /is ACTIVE$/],
  [table, 'ok', /is ACTIVE$/],
  [{ ...table, DeletionProtectionEnabled: false }, 'warn', /may be deleted/],
  [{ ...table, GlobalSecondaryIndexes: GlobalSecondaryIndexes.slice(0, 1) }, 'warn', /lacks the index asked/],
  [{ ...table, GlobalSecondaryIndexes: undefined }, 'warn', /lacks the index listed, asked/],
  [{ ...table, TableStatus: 'CREATING' as const }, 'fail', /is CREATING/],
  [
    { TableStatus: 'ACTIVE' as const, KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' as const }] },
    'fail',
    /another key/,
  ],
  [{ TableStatus: 'ACTIVE' as const }, 'fail', /another key/],
])('the table %j is %s', (described, status, detail) => {
  expect(describedCheck(described, { tableName: 'live-sluice-journal' })).toMatchObject({
    status,
    detail: expect.stringMatching(detail),
  })
})

test.each([
  ['123456789012', 'eu-west-1', 'ok'],
  ['999999999999', 'eu-west-1', 'fail'],
  ['123456789012', 'us-east-1', 'fail'],
])(
  'a table of account %s in %s, with another or the same place pinned in treasury.json, is %s',
  (account, region, status) => {
    const TableArn = `arn:aws:dynamodb:${region}:${account}:table/sluice-journal`
    const pinned = { account: '123456789012', region: 'eu-west-1' }
    const described = { ...table, TableArn }
    expect(describedCheck(described, { tableName: 'sluice-journal', pinned })).toMatchObject({ status })
  },
)
