// Reads of single records that begin together share a request, and each still gets the answer of its own.
import { expect, test } from 'vitest'
import { JOURNAL_TABLE } from '../../../../core/contract/records.ts'
import { MOST_KEYS, readsTogether } from '../../../../place/journal/reads-together.ts'

interface Sent {
  readonly operation: string
  readonly keys: readonly string[]
}
interface Key {
  readonly pk: { readonly S: string }
}

/** A table that has every record but `none`, and that leaves the key `large` out of what it reads at once. */
function table() {
  const sent: Sent[] = []
  const itemOf = ({ pk }: Key) => ({ pk, version: { N: String(pk.S.length) } })
  const read = readsTogether(async (operation, body) => {
    if (operation === 'GetItem') {
      const { Key } = body as { readonly Key: Key }
      sent.push({ operation, keys: [Key.pk.S] })
      return { Item: itemOf(Key), ConsumedCapacity: {} }
    }
    const { RequestItems } = body as { readonly RequestItems: Readonly<Record<string, { readonly Keys: Key[] }>> }
    const { Keys = [] } = RequestItems[JOURNAL_TABLE] ?? {}
    sent.push({ operation, keys: Keys.map(({ pk }) => pk.S) })
    if (Keys.some(({ pk }) => pk.S === 'refused')) throw new Error('refused')
    const found = Keys.filter(({ pk }) => pk.S !== 'none' && pk.S !== 'large')
    const left = Keys.filter(({ pk }) => pk.S === 'large')
    return {
      // DynamoDB answers in any order.
      Responses: { [JOURNAL_TABLE]: found.map(itemOf).toReversed() },
      UnprocessedKeys: left.length === 0 ? {} : { [JOURNAL_TABLE]: { Keys: left } },
      ConsumedCapacity: [{}],
    }
  })
  const plain = { TableName: JOURNAL_TABLE, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' } as const
  const readKey = async (key: string) => (await read({ ...plain, Key: { pk: { S: key } } })).Item?.pk?.S
  return { sent, read, readKey }
}

test('reads that begin together send one request, and each gets its record', async () => {
  const { sent, readKey } = table()
  expect(await Promise.all(['a', 'none', 'b', 'a'].map(readKey))).toEqual(['a', undefined, 'b', 'a'])
  expect(sent).toEqual([{ operation: 'BatchGetItem', keys: ['a', 'none', 'b'] }])
})

test('reads that continue after one answer send one request again', async () => {
  const { sent, readKey } = table()
  await Promise.all(['a', 'b', 'c'].map(async (key) => readKey(`${await readKey(key)}, again`)))
  expect(sent.map(({ keys }) => keys)).toEqual([
    ['a', 'b', 'c'],
    ['a, again', 'b, again', 'c, again'],
  ])
})

test('a read that begins alone is a request for one record', async () => {
  const { sent, readKey } = table()
  expect([await readKey('a'), await readKey('b')]).toEqual(['a', 'b'])
  expect(sent.map(({ operation }) => operation)).toEqual(['GetItem', 'GetItem'])
})

test('a request has as many keys as DynamoDB takes', async () => {
  const { sent, readKey } = table()
  const keys = Array.from({ length: MOST_KEYS + 2 }, (_, nth) => `key ${nth}`)
  expect(await Promise.all(keys.map(readKey))).toEqual(keys)
  expect(sent.map((each) => each.keys.length)).toEqual([MOST_KEYS, 2])
})

test('a record that the answer leaves out is read alone', async () => {
  const { sent, readKey } = table()
  expect(await Promise.all(['a', 'large'].map(readKey))).toEqual(['a', 'large'])
  expect(sent).toEqual([
    { operation: 'BatchGetItem', keys: ['a', 'large'] },
    { operation: 'GetItem', keys: ['large'] },
  ])
})

test('a request that fails fails each of its reads', async () => {
  const { readKey } = table()
  const ended = await Promise.allSettled(['a', 'refused'].map(readKey))
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a read of another kind is sent as it is', async () => {
  const { sent, read } = table()
  const input = { TableName: JOURNAL_TABLE, Key: { pk: { S: 'a' } } }
  await Promise.all([read(input), read({ ...input, Key: { pk: { S: 'b' } }, ConsistentRead: true })])
  expect(sent.map(({ operation }) => operation)).toEqual(['GetItem', 'GetItem'])
})
