// Tests the keys of intents by the hour of their send, from an index that changes during the walk.
import { expect, test } from 'vitest'
import { listing, recordKey } from '../../../../../core/contract/records.ts'
import { walkSent } from '../../../../../place/journal/sent-index.ts'

const HOUR_MS = 3_600_000
const HOUR = 500_000
const key = (nth: number) => recordKey.intent('convert', `c-${nth}`)

test('an intent that is proven during the walk is listed once', async () => {
  const lists: Record<string, string[]> = { [listing.open]: [key(1), key(2)], [listing.doneInHour(HOUR)]: [key(3)] }
  const client = {
    query: async ({ ExpressionAttributeValues }: { ExpressionAttributeValues: { ':list': { S: string } } }) => {
      const keys = lists[ExpressionAttributeValues[':list'].S] ?? []
      return { Count: keys.length, Items: keys.map((S) => ({ pk: { S } })) }
    },
  }
  const found: string[] = []
  const span = { sinceMs: HOUR * HOUR_MS, beforeMs: (HOUR + 1) * HOUR_MS }
  for await (const each of walkSent({ client: client as never, tableName: 'journal' } as never, span)) {
    found.push(each)
    if (each !== key(2)) continue
    lists[listing.open] = [key(1)]
    lists[listing.doneInHour(HOUR)] = [key(2), key(3)]
  }
  expect(found).toEqual([key(1), key(2), key(3)])
})
