// How far back the list by time reads: to the beginning of the journal, if it is known. The table answers from what the
// test has put into it.
import type { QueryInput } from '@aws-sdk/client-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { expect, test } from 'vitest'
import { JOURNAL_FORM, RequestList, recordKey, requestListIn } from '../../../../core/contract/records.ts'
import { chained } from '../../../../core/journal/record-chain.ts'
import type { JournalTable } from '../../../../place/aws/aws-address.ts'
import { walkRequests } from '../../../../place/journal/request-index.ts'

const NOW_MS = Date.parse('2028-06-15T12:00:00Z')

/** `declared`: fields of the journal's own record. `months`: each has one conversion. */
function table(declared: Readonly<Record<string, string>> | undefined, months: readonly string[]) {
  const asked: string[] = []
  const record = {
    tableId: 'table-1',
    form: JOURNAL_FORM,
    ...declared,
    pk: recordKey.journal,
    version: 1,
    format: 1,
    stamp: 'stamp-1',
  }
  const item = marshall(chained(record, undefined))
  const getItem = () => Promise.resolve({ ConsumedCapacity: {}, ...(declared !== undefined && { Item: item }) })
  const query = ({ ExpressionAttributeValues }: QueryInput) => {
    const { ':list': list } = ExpressionAttributeValues ?? {}
    asked.push(list?.S ?? '')
    const month = months.find((each) => list?.S === requestListIn(RequestList.Convert, each))
    const Items =
      month === undefined
        ? []
        : [{ pk: { S: `I#convert#${month}` }, askedAt: { S: `${month}-01T00:00:00.000Z#I#convert#${month}` } }]
    return Promise.resolve({ Items })
  }
  return { asked, table: { client: { getItem, query }, tableName: 'journal' } as unknown as JournalTable }
}

async function walked(declared: Parameters<typeof table>[0], months: readonly string[] = []) {
  const { asked, table: journal } = table(declared, months)
  const keys: string[] = []
  for await (const { key } of walkRequests(journal, [RequestList.Convert], {}, NOW_MS)) keys.push(key)
  return { asked: asked.length, keys }
}

test('a journal of this month is read for two months, and an old one for two years', async () => {
  expect(await walked({ at: '2028-06-01T00:00:00.000Z' })).toMatchObject({ asked: 2 })
  expect(await walked({ at: '2020-01-01T00:00:00.000Z' })).toMatchObject({ asked: 24 })
})

test('all months since the journal started are read, and earlier ones while they have something', async () => {
  const { asked, keys } = await walked({ at: '2027-06-01T00:00:00.000Z' }, ['2027-06', '2027-05', '2027-03', '2026-12'])
  expect(keys).toEqual(['I#convert#2027-06', 'I#convert#2027-05', 'I#convert#2027-03'])
  // June 2028 to March 2027, and two empty months.
  expect(asked).toBe(18)
})

test.each([
  ['nobody has declared', undefined],
  ['a person accepted', { at: '2028-06-01T00:00:00.000Z', by: 'ops', because: 'restored' }],
])('a journal in a table that %s may be older than its table', async (_what, declared) => {
  expect(await walked(declared, ['2027-01'])).toMatchObject({ keys: ['I#convert#2027-01'] })
})
