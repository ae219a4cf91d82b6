// Naive variants of the journal: its writes, its claims, and what it reads.
import { IntentState } from '../../../core/contract/records.ts'
import { Transient } from '../../../core/errors.ts'
import { atJournal, losingCompare, type NaiveVariants, readingOf, writingOf } from './at-port.ts'

const asOfOrders = (pk: string) => pk.replace(/^C#withdraw#/, 'C#convert#')

export const NAIVE_WRITES: NaiveVariants = {
  'arm-without-version': {
    about: 'continues after its move failed, because another execution had made a move first',
    world: 'convert',
    store: losingCompare('I#'),
  },
  'stale-move-again': {
    about: 'repeats its move on the newer record of another execution',
    world: 'convert',
    ports: atJournal((journal) => ({
      async advance(intent, move) {
        try {
          return await journal.advance(intent, move)
        } catch (error) {
          const latest = await journal.find(intent.intentId, intent.kind)
          if (latest === undefined || latest.outcome !== undefined || latest.ref !== undefined) throw error
          return journal.advance(latest as typeof intent, move)
        }
      },
    })),
  },
  'trust-unheard-write': {
    about: 'takes an unconfirmed write as done',
    world: 'withdraw',
    store: writingOf('', (write) =>
      write().catch((error) => {
        if (error instanceof Transient) return 'written'
        throw error
      }),
    ),
  },
  'skip-claims': {
    about: 'adopts a movement without claiming it',
    world: 'withdraw',
    ports: atJournal(() => ({ claim: async () => undefined })),
  },
  'done-then-claim': {
    about: 'writes DONE, and claims the movement after that',
    world: 'withdraw',
    ports: atJournal((journal) => {
      let claiming: Parameters<typeof journal.claim> | undefined
      return {
        claim: async (...asked) => {
          claiming = asked
          return undefined
        },
        async advance(intent, move) {
          const moved = await journal.advance(intent, move)
          if (move.state === IntentState.Done && claiming !== undefined) await journal.claim(...claiming)
          return moved
        },
      }
    }),
  },
  'claims-without-kind': {
    about: 'mistakes the claim on an order for a claim on the withdrawal with the same id',
    world: 'mixed',
    store: (store) => ({
      read: (pk) => store.read(asOfOrders(pk)),
      create: (record) => store.create({ ...record, pk: asOfOrders(record.pk) }),
      replace: (record, version) => store.replace({ ...record, pk: asOfOrders(record.pk) }, version),
    }),
  },
  'escalated-is-zero': {
    about: 'takes another intent that waits for a person for one that has moved nothing',
    world: 'mixed',
    store: readingOf('I#', (record, { intentId }) =>
      record.intentId !== intentId && record.state === IntentState.Escalated
        ? { ...record, state: IntentState.Rejected }
        : record,
    ),
  },
  'denied-write-settled-unread': {
    about: 'takes a write that was denied for one that was made, without reading it back',
    ...{ world: 'withdraw', untidy: ['permissions'] },
    store: writingOf('', (write) =>
      write().catch((error) => {
        if (String(error.message).includes('permi') || error.name === 'OwnFault') return 'written'
        throw error
      }),
    ),
  },
}
