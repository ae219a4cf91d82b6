// A record that was edited, cut or put back is noticed by its chain.
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb'
import { expect, test } from 'vitest'
import { chained, chainIn, judgeChain, withoutChain } from '../../../core/journal/record-chain.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'

const RECORD: StoredRecord = {
  pk: 'I#convert#one',
  version: 1,
  format: 1,
  stamp: 'stamp-1',
  state: 'READY',
  attemptNumber: 1,
  params: { amount: '250', most: undefined, nested: { z: null, a: [1, 'two', { b: true }] } },
}

/** Returns the record as a read of the table returns it. */
const stored = (record: StoredRecord): StoredRecord =>
  unmarshall(marshall(record, { removeUndefinedValues: true })) as StoredRecord

const first = stored(chained(RECORD, undefined))
const second = stored(chained({ ...RECORD, version: 2, stamp: 'stamp-2', state: 'ARMED' }, chainIn(first)))

test('a written record reads back as whole, in any order of its fields', () => {
  expect(judgeChain(first)).toEqual({ is: 'whole' })
  expect(judgeChain(second)).toEqual({ is: 'whole' })
  expect(judgeChain(Object.fromEntries(Object.entries(second).reverse()) as StoredRecord)).toEqual({ is: 'whole' })
  expect(withoutChain(first)).toEqual(stored(RECORD))
})

test.each([
  ['a field that was changed', { ...second, state: 'REJECTED' }, 'not as it was written'],
  ['a field that was added', { ...second, ref: 'order-1' }, 'not as it was written'],
  ['a field inside that was changed', { ...second, params: { amount: '2500' } }, 'not as it was written'],
  ['a version that was set back', { ...second, version: 1 }, 'its chain is of version 2'],
  ['a version that was raised', { ...second, version: 3 }, 'its chain is of version 2'],
  [
    'a later version that carries an older chain on',
    { ...second, version: 3, stamp: 's', state: 'DONE' },
    'of version 2',
  ],
  ['a version that skips', chained({ ...RECORD, version: 3 }, chainIn(first)), 'written over version 1'],
  ['a chain that was taken out', { ...second, chain: undefined }, 'its chain is missing'],
  ['a record without any chain', RECORD, 'its chain is missing'],
  ['a chain of another form', { ...second, chain: 'x' }, 'its chain has no valid form'],
  ['its predecessor', { ...second, before: `1.${'A'.repeat(43)}` }, 'not as it was written'],
])('%s is noticed', (_what, record, because) => {
  expect(judgeChain(record as StoredRecord)).toEqual({ is: 'broken', because: expect.stringContaining(because) })
})

test('a missing field is noticed', () => {
  const { attemptNumber: _gone, ...rest } = second
  expect(judgeChain(rest as StoredRecord)).toMatchObject({ is: 'broken' })
})

test('a record that was put back with a version of its own is whole', () => {
  expect(judgeChain(stored(chained({ ...RECORD, version: 7 }, undefined)))).toEqual({ is: 'whole' })
})
