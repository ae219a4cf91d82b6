// The conditional writes of DynamoDB let exactly one of many processes arm an intent or claim a movement.
import type { DynamoDB, PutItemInput } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refused, Transient } from '../../../core/errors.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { createJournal, type Journal, type NewIntent } from '../../../core/journal/journal.ts'
import { doneMove, nextAttemptMove, zeroMove } from '../../../core/journal/moves.ts'
import {
  createJournalTable,
  type DynamoServer,
  hasJava17,
  startDynalite,
  startDynamoLocal,
} from '../../helpers/dynamo-servers.ts'
import { armed, CONVERSION } from '../../helpers/intents.ts'
import { describeIntentIndex } from './intent-index.ts'

const TABLE = 'journal'
let ids = 0
const newId = () => `stamp-${++ids}`
const newIntent = (intentId: string, asked: object = {}): NewIntent<'convert'> => ({
  ...CONVERSION,
  intentId,
  params: { ...CONVERSION.params, ...asked },
  createdAt: '2026-01-01T00:00:00.000Z',
  notAfter: '2026-01-01T01:00:00.000Z',
})

type Puts = Pick<DynamoDB, 'getItem' | 'putItem'>

/** A client whose n-th put meets a fault. Reads and other puts pass. */
function faultyOnPut(client: DynamoDB, fault: (put: () => Promise<unknown>) => Promise<unknown>): Puts {
  let done = false
  const putItem = (input: PutItemInput) => {
    const go = () => client.putItem(input)
    if (done) return go()
    done = true
    return fault(go)
  }
  return { getItem: client.getItem.bind(client), putItem } as Puts
}

const timedOut = () => Object.assign(new Error('socket hang up'), { name: 'TimeoutError' })

describe.each([
  { server: 'dynalite', start: startDynalite, runs: true },
  { server: 'DynamoDB Local', start: startDynamoLocal, runs: hasJava17() },
])('the journal on $server', ({ start, runs }) => {
  describe.runIf(runs)('with real conditional writes', () => {
    let dynamo: DynamoServer
    let journal: Journal

    beforeAll(async () => {
      dynamo = await start()
      await createJournalTable(dynamo.client, TABLE)
      journal = createJournal(createDynamoStore(dynamo.client, TABLE), newId)
    })
    afterAll(() => dynamo?.stop())

    describeIntentIndex(() => dynamo)

    test('an intent that is opened twice is the first one', async () => {
      const first = await journal.open(newIntent('twice'))
      const moved = await journal.advance(first, nextAttemptMove(first))
      expect(await journal.open(newIntent('twice'))).toEqual(moved)
    })

    test('the same id with other params is refused, and the first intent stays unchanged', async () => {
      const first = await journal.open(newIntent('conflict'))
      await expect(journal.open(newIntent('conflict', { amount: '2' }))).rejects.toThrow(Refused)
      expect(await journal.find('conflict', 'convert')).toEqual(first)
    })

    test('the order of keys in the params makes no difference', async () => {
      const first = await journal.open(newIntent('keys', { most: '1', policy: 'p', keep: '3' }))
      expect(await journal.open(newIntent('keys', { keep: '3', policy: 'p', most: '1' }))).toEqual(first)
    })

    test('of 20 processes that arm one intent at once, exactly one wins', async () => {
      const intent = await journal.open(newIntent('race'))
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          journal.advance(intent, armed(intent, `order-${at}`)).catch(() => undefined),
        ),
      )
      const winners = outcomes.filter((outcome) => outcome !== undefined)
      expect(winners).toHaveLength(1)
      expect(await journal.find('race', 'convert')).toEqual(winners[0])
    })

    test('of 20 intents that claim one movement at once, exactly one holds it, and it may claim again', async () => {
      const holders = await Promise.all(
        Array.from({ length: 20 }, (_, at) => journal.claim('convert', 'movement', `intent-${at}`)),
      )
      const winner = holders.indexOf(undefined)
      expect(holders.filter((holder) => holder === undefined)).toHaveLength(1)
      expect(holders.filter((holder) => holder === `intent-${winner}`)).toHaveLength(19)
      expect(await journal.claim('convert', 'movement', `intent-${winner}`)).toBeUndefined()
    })

    test('a move from an old version changes nothing', async () => {
      const ready = await journal.open(newIntent('stale'))
      const ended = await journal.advance(ready, zeroMove(ready, 'REJECTED', 'REJECTED', 'no'))
      await expect(journal.advance(ready, armed(ready, 'order'))).rejects.toThrow(Transient)
      expect(await journal.find('stale', 'convert')).toEqual(ended)
    })

    test('every field of an armed and of a done intent reads back unchanged', async () => {
      const ready = await journal.open(newIntent('fields'))
      const armedIntent = await journal.advance(ready, armed(ready, 'order'))
      expect(await journal.find('fields', 'convert')).toEqual(armedIntent)
      const done = await journal.advance(armedIntent, doneMove(armedIntent, 'order'))
      expect(await journal.find('fields', 'convert')).toEqual(done)
    })

    test('a write that was applied while its answer was lost counts as written', async () => {
      const lost = faultyOnPut(dynamo.client, async (put) => {
        await put()
        throw timedOut()
      })
      const opened = await createJournal(createDynamoStore(lost, TABLE), newId).open(newIntent('lost'))
      expect(await journal.find('lost', 'convert')).toEqual(opened)
    })

    test('a write whose repetition fails its own condition counts as written', async () => {
      const ready = await journal.open(newIntent('repeated'))
      const repeated = faultyOnPut(dynamo.client, async (put) => {
        await put()
        return put()
      })
      const moved = await createJournal(createDynamoStore(repeated, TABLE), newId).advance(ready, armed(ready, 'order'))
      expect(moved.state).toBe('ARMED')
      expect(await journal.find('repeated', 'convert')).toEqual(moved)
    })

    test('a write that was not applied does not count as written, and may be tried again', async () => {
      const ready = await journal.open(newIntent('unapplied'))
      const failing = faultyOnPut(dynamo.client, async () => {
        throw timedOut()
      })
      const faulty = createJournal(createDynamoStore(failing, TABLE), newId)
      await expect(faulty.advance(ready, armed(ready, 'order'))).rejects.toThrow(Transient)
      expect(await journal.find('unapplied', 'convert')).toEqual(ready)
      expect((await faulty.advance(ready, armed(ready, 'order'))).state).toBe('ARMED')
    })

    test('a write that is applied late loses to the one made meanwhile', async () => {
      const ready = await journal.open(newIntent('late'))
      let applyLate: () => Promise<unknown> = async () => undefined
      const late = faultyOnPut(dynamo.client, async (put) => {
        applyLate = put
        throw timedOut()
      })
      const faulty = createJournal(createDynamoStore(late, TABLE), newId)
      await expect(faulty.advance(ready, armed(ready, 'late order'))).rejects.toThrow(Transient)
      const meanwhile = await journal.advance(ready, armed(ready, 'order'))
      await expect(applyLate()).rejects.toThrow(/conditional/i)
      expect(await journal.find('late', 'convert')).toEqual(meanwhile)
    })

    test('an error names neither the table, the record nor its contents', async () => {
      const failing = faultyOnPut(dynamo.client, async () => {
        throw Object.assign(new Error('contents of I#secretive'), { name: 'ProvisionedThroughputExceededException' })
      })
      const faulty = createJournal(createDynamoStore(failing, TABLE), newId)
      await expect(faulty.open(newIntent('secretive'))).rejects.toThrow(
        'the journal did not confirm a write (ProvisionedThroughputExceededException)',
      )
    })
  })
})
