// Naive variants of how long a send stays in doubt, and of what ends the doubt.
import { IntentKind, IntentState } from '../../../core/contract/records.ts'
import { Verb } from '../../../core/contract/states.ts'
import type { OpenIntent } from '../../../core/journal/intent.ts'
import {
  atClient,
  atJournal,
  forgettingOfAttempts,
  inDoubt,
  type Naive,
  type NaiveVariants,
  PAST_EVERY_FENCE_MS,
  timed,
  trusting,
} from './at-port.ts'

const LONG_AGO = '1970-01-01T00:00:00.000Z'

/** Conclude reads an intent in doubt as one that was never sent. */
const concluding = (isUnsent: (intent: OpenIntent) => boolean): NonNullable<Naive['ports']> =>
  atJournal((journal, machine) => ({
    async find(intentId, kind) {
      const found = await journal.find(intentId, kind)
      const isTaken =
        machine.verb === Verb.Conclude && found?.state === IntentState.Armed && isUnsent(found as OpenIntent)
      return isTaken ? { ...found, state: IntentState.Ready } : found
    },
  }))

export const NAIVE_DOUBTS: NaiveVariants = {
  'trust-refusal-order': {
    about: 'takes a refusal of an order for a zero at once',
    world: 'convert',
    ports: trusting((said) => said?.business === true),
  },
  'trust-refusal-withdrawal': {
    about: 'takes a refusal of a withdrawal for a zero at once',
    world: 'withdraw',
    ports: trusting((said) => said?.business === true),
  },
  'trust-refused-key': {
    about: 'takes the refusal of a key for a zero at once',
    world: 'convert',
    ports: trusting((said) => said?.keyAtFault === true),
  },
  'requote-on-expired': {
    about: 'asks for another quote as soon as quotation_expired is heard',
    world: 'convert',
    ports: trusting((said) => said?.code === 'quotation_expired'),
  },
  'refusal-outweighs-order': {
    about: 'believes a refusal more than the order that it finds',
    ...{ world: 'convert', untidy: ['faults'] },
    ports: atClient((client, intent) => ({
      findOrder: async (orderId) => (intent()?.attempt?.said?.business ? undefined : client.findOrder(orderId)),
    })),
  },
  'no-fence-order': {
    about: 'takes an order that cannot be found for a zero at once',
    world: 'convert',
    ports: inDoubt(() => PAST_EVERY_FENCE_MS),
  },
  'no-fence-withdrawal': {
    about: 'takes a withdrawal that cannot be found for a zero at once',
    world: 'withdraw',
    ports: inDoubt(() => PAST_EVERY_FENCE_MS),
  },
  'dead-quote-is-zero': {
    about: 'takes the end of a quote for the end of the doubt',
    world: 'convert',
    ports: inDoubt(({ kind, attempt }, clock) => {
      const expiresAt = kind === IntentKind.Convert ? attempt?.quoteExpiresAt : undefined
      const isDead = typeof expiresAt === 'string' && clock.reachedMs() > Date.parse(expiresAt)
      return isDead ? PAST_EVERY_FENCE_MS : clock.reachedMs()
    }),
  },
  'late-doubt-is-over': {
    about: 'ends a doubt when the time of its intent is over',
    ...{ world: 'withdraw', untidy: ['hurry', 'slow'] },
    ports: inDoubt(({ notAfter }, clock) =>
      clock.reachedMs() >= Date.parse(notAfter) ? PAST_EVERY_FENCE_MS : clock.reachedMs(),
    ),
  },
  'local-clock': {
    about: "waits for the fence by this machine's clock",
    world: 'withdraw',
    ports: inDoubt((_, __, ports) => ports.clock.nowMs()),
  },
  'estimate-is-reached': {
    about: 'takes its best estimate of service time for a time that has been reached',
    ...{ world: 'convert', untidy: ['trips'] },
    ports: inDoubt((_, clock) => clock.nowMs()),
  },
  'order-then-time': {
    about: 'looks for the order, and then at the time that makes its absence a proof',
    world: 'convert',
    ports: atClient((client, intent) => {
      let seen: ReturnType<typeof client.findOrder> | undefined
      return {
        clock: {
          ...client.clock,
          async measure() {
            const doubted = intent()
            const orderId = doubted?.kind === IntentKind.Convert ? doubted.attempt?.orderId : undefined
            seen = undefined
            if (doubted?.state === IntentState.Armed && orderId !== undefined) {
              const found = client.findOrder(orderId)
              await found
              seen = found
            }
            await client.clock.measure()
          },
        },
        findOrder: (orderId) => seen ?? client.findOrder(orderId),
      }
    }),
  },
  'unread-is-none': {
    about: 'treats an order that could not be read as one that is not there',
    world: 'convert',
    ports: atClient((client) => ({ findOrder: (orderId) => client.findOrder(orderId).catch(() => undefined) })),
  },
  'fence-without-leeway': {
    about: 'takes a token for dead at its exp',
    world: 'convert',
    ...timed(() => ({ leewaySeconds: 0 })),
  },
  'fence-without-visibility': {
    about: 'looks as soon as the token is dead, and not when a row must show',
    world: 'withdraw',
    ...timed(() => ({ visibilitySeconds: 0 })),
  },
  'orders-show-in-ten-seconds': {
    about: 'expects an order to be readable ten seconds after it can last have been accepted',
    world: 'convert',
    ...timed(() => ({ orderVisibilitySeconds: 10 })),
  },
  'fence-of-today': {
    about: 'waits as long as is configured now, and not as was configured when the attempt was armed',
    ...{ world: 'withdraw', untidy: ['retimed'] },
    ports: forgettingOfAttempts(() => ({ fenceTiming: { leewaySeconds: 0, visibilitySeconds: 0 } })),
  },
  'fence-from-iat': {
    about: 'counts the fence from the signature of a token',
    world: 'withdraw',
    ports: forgettingOfAttempts(({ iat }) => ({ exp: iat })),
  },
  'fence-without-listening': {
    about: 'counts the fence from the death of a copy, although its sender may still listen',
    ...{ world: 'convert', untidy: ['trips'] },
    ports: forgettingOfAttempts(() => ({ listenedUntil: LONG_AGO })),
  },
  'unknown-expiry-is-past': {
    about: 'takes a quote without expiresAt for dead',
    world: 'convert',
    ports: forgettingOfAttempts((attempt) => ({
      quoteExpiresAt: 'quoteExpiresAt' in attempt ? (attempt.quoteExpiresAt ?? LONG_AGO) : undefined,
    })),
  },
  'conclude-doubt': {
    about: 'ends an intent in doubt when a step has failed for good',
    ...{ world: 'withdraw', untidy: [] },
    ports: concluding(() => true),
  },
  'unheard-is-unsent': {
    about: 'concludes that a request without an answer was not sent',
    ...{ world: 'withdraw', untidy: [] },
    ports: concluding(({ attempt }) => attempt?.said === undefined),
  },
  // The record of the first write, without terms, could not be read again.
  'opens-and-then-ends': {
    about: 'splits the one write of a run that gives up before its checks',
    ...{ world: 'withdraw', untidy: ['power'] },
    ports: atJournal((journal) => ({ open: (intent) => journal.open(intent) })),
  },
  'concludes-unwritten': {
    about: 'reports that an intent is closed, and does not write it',
    world: 'convert',
    ports: atJournal((journal, machine) => ({
      advance: async (intent, move) =>
        machine.verb === Verb.Conclude ? { ...intent, ...move } : journal.advance(intent, move),
    })),
  },
  'unknown-status-completed': {
    about: 'takes a withdrawal that has not failed for completed',
    world: 'withdraw',
    ports: atClient((client) => ({
      async findWithdrawal(id) {
        const row = await client.findWithdrawal(id)
        return row && (/FAIL|REJECT|CANCEL/.test(row.status) ? row : { ...row, status: 'COMPLETED' })
      },
    })),
  },
  'failed-has-come-back': {
    about: 'says that a failed withdrawal has come back as soon as its debit shows',
    ...{ world: 'withdraw', untidy: ['books'] },
    ports: atClient((client) => ({
      async ledgerOf(row) {
        const entries = await client.ledgerOf(row)
        const isBack = entries.some(({ type }) => /refund|revers|return/i.test(type))
        return isBack ? entries : [...entries, ...entries.map(({ amount }) => ({ type: 'refund', amount }))]
      },
    })),
  },
  'unknown-status-failed-order': {
    about: 'takes an order of unknown status for failed',
    world: 'convert',
    ports: atClient((client) => ({
      async findOrder(orderId) {
        const order = await client.findOrder(orderId)
        return order && (order.status === 'FILLED' ? order : { ...order, status: 'FAILED' })
      },
    })),
  },
}
