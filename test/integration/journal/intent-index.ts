// Properties of the index on every server that speaks DynamoDB's protocol. dynamo-store.long.test.ts starts the servers, one
// of which takes seconds, and runs these tests.
import { beforeEach, describe, expect, test } from 'vitest'
import { listing } from '../../../core/contract/records.ts'
import { Defect, OwnFault } from '../../../core/errors.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { createIntentIndex, createListBeginning, type IntentIndex } from '../../../core/journal/intent-index.ts'
import { createJournal, type Journal } from '../../../core/journal/journal.ts'
import { doneMove, escalateMove, zeroMove } from '../../../core/journal/moves.ts'
import { createJournalTable, type DynamoServer } from '../../helpers/dynamo-servers.ts'
import { armed, CONVERSION } from '../../helpers/intents.ts'

/** Hour of the attempt that test/helpers/intents.ts arms. */
const ARMED_HOUR = 1_767_225_600 / 3600
const LIMIT = 100

export function describeIntentIndex(dynamo: () => DynamoServer): void {
  describe('the index by which the audit lists intents', () => {
    let journal: Journal
    let index: IntentIndex
    let tables = 0
    beforeEach(async () => {
      const table = `listed-${++tables}`
      let stamps = 0
      await createJournalTable(dynamo().client, table)
      journal = createJournal(createDynamoStore(dynamo().client, table), () => `stamp-${++stamps}`)
      index = createIntentIndex(createListBeginning(dynamo().client, table))
    })

    const open = (intentId: string) =>
      journal.open({
        ...{ ...CONVERSION, intentId },
        ...{ createdAt: '2026-01-01T00:00:00.000Z', notAfter: '2026-01-01T01:00:00.000Z' },
      })
    const listed = async () => ({
      open: [...(await index.list(listing.open, LIMIT))].sort(),
      done: await index.list(listing.doneInHour(ARMED_HOUR), LIMIT),
    })

    test('an intent is listed while it is open, then by the hour of its movement', async () => {
      const ready = await open('one')
      await open('two')
      expect(await listed()).toEqual({ open: ['convert#one', 'convert#two'], done: [] })
      const sent = await journal.advance(ready, armed(ready, 'order-1'))
      expect(await listed()).toEqual({ open: ['convert#one', 'convert#two'], done: [] })
      await journal.advance(sent, doneMove(sent, 'order-1'))
      expect(await listed()).toEqual({ open: ['convert#two'], done: ['convert#one'] })
    })

    test('an intent without a movement is in no list, and one that a person must decide is among the open ones', async () => {
      const zero = await open('zero')
      await journal.advance(zero, zeroMove(zero, 'REJECTED', 'REJECTED', 'no'))
      const doubt = await open('doubt')
      const sent = await journal.advance(doubt, armed(doubt, 'order-2'))
      await journal.advance(sent, escalateMove(sent, 'NEEDS_ATTENTION', 'two candidates'))
      expect(await listed()).toEqual({ open: ['convert#doubt'], done: [] })
    })

    test('the list’s key is not part of the intent that is read', async () => {
      const opened = await open('same')
      expect(await journal.find('same', 'convert')).toEqual(opened)
    })

    test('a list is complete, or an error', async () => {
      for (const id of ['a', 'b', 'c']) await open(id)
      expect(await index.list(listing.open, 3)).toHaveLength(3)
      await expect(index.list(listing.open, 2)).rejects.toThrow(Defect)
    })

    test('a missing table is a fault of ours', async () => {
      await expect(
        createIntentIndex(createListBeginning(dynamo().client, 'no-table')).list(listing.open, LIMIT),
      ).rejects.toThrow(OwnFault)
    })
  })
}
