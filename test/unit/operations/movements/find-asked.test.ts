// How `show` handles an id that is no key of the journal: by a last scan, which stops partway in a long journal.
import { expect, test } from 'vitest'
import { type IntentKind, recordKey } from '../../../../core/contract/records.ts'
import type { Intent } from '../../../../core/journal/intent.ts'
import { onceOf } from '../../../../core/runs/plan/payments.ts'
import { onceIntentId } from '../../../../core/runs/record/run-record.ts'
import { findOneRecord } from '../../../../operations/movements/one-record.ts'
import type { JournalConnection } from '../../../../place/journal-connection.ts'
import { OperationError } from '../../../../place/operation-error.ts'
import { conversion } from './sample-intents.ts'

/** A journal of so many records. A scan reads two of them and then stops. */
function journalOf(intents: readonly Intent[], open: readonly Intent[] = []) {
  const keys = intents.map(({ kind, intentId }) => recordKey.intent(kind, intentId))
  const from: (string | undefined)[] = []
  const connection = {
    name: 'a journal',
    treasury: { policies: {} },
    journal: {
      find: async (id: string, kind: IntentKind) => intents.find((one) => one.intentId === id && one.kind === kind),
      findClaim: async () => undefined,
    },
    runJournal: { runs: { find: async () => undefined } },
    executions: { read: async () => undefined },
    openIntents: async () => ({ intents: open, lookedAtUpTo: 'z' }),
    async *scanPart(_prefixes: readonly string[], { after, onCutOff }: Parameters<JournalConnection['scanPart']>[1]) {
      from.push(after)
      const first = keys.indexOf(after ?? '') + 1
      for (const intent of intents.slice(first, first + 2))
        yield { ...intent, pk: recordKey.intent(intent.kind, intent.intentId) }
      if (first + 2 < keys.length) onCutOff(keys[first + 1] ?? '')
    },
  }
  return { from, connection: connection as unknown as JournalConnection }
}

const INTENTS = ['a', 'b', 'c'].map((id) => ({
  ...conversion,
  intentId: id,
  params: { ...conversion.params, requestId: `event-${id}` },
}))

test('if the journal is too long for one scan, the message says how far it got and how to continue', async () => {
  const { connection } = journalOf(INTENTS)
  const refused: unknown = await findOneRecord('event-c', {}, connection).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(OperationError)
  expect(refused).toMatchObject({
    exitCode: 1,
    message:
      'no key of the journal in a journal is event-c, and 2 records that were searched do not have it; there are more',
    next: { do: 'show-movement', id: 'event-c', after: 'I#convert#b' },
  })
})

test('a continued scan starts after the named record, and finds later ones', async () => {
  const { from, connection } = journalOf(INTENTS)
  const found = await findOneRecord('event-c', { after: 'I#convert#b' }, connection)
  expect([found, from]).toMatchObject([{ id: 'c', as: 'the event that asked for it' }, ['I#convert#b']])
})

test('records found before the scan stops are shown', async () => {
  const { connection } = journalOf(INTENTS)
  expect(await findOneRecord('event-b', {}, connection)).toMatchObject({ id: 'b' })
})

test('an open intent is found without a scan, however many are open', async () => {
  const { from, connection } = journalOf(INTENTS, INTENTS.slice(2))
  expect(await findOneRecord('event-c', {}, connection)).toMatchObject({ id: 'c' })
  expect(from).toEqual([])
})

test('the id of a payout row finds the last withdrawal that was begun for the row', async () => {
  const tries = [1, 2].map((number) => ({
    ...INTENTS[0],
    kind: 'withdraw',
    intentId: onceIntentId(onceOf('Sal-2', number)),
  }))
  const { connection } = journalOf([...INTENTS, ...tries] as Intent[])
  expect(await findOneRecord('sal-2', {}, connection)).toMatchObject({
    ...{ kind: 'withdraw', id: tries[1]?.intentId, as: 'the id of a payout row' },
  })
})
