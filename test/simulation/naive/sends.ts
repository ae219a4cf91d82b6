// Naive variants of what is sent, how often, and with which key.
import { IntentState } from '../../../core/contract/records.ts'
import {
  atClient,
  atJournal,
  forgettingOfAttempts,
  type NaiveVariants,
  onceMore,
  sendingOrders,
  sendingWithdrawals,
  timed,
} from './at-port.ts'

export const NAIVE_SENDS: NaiveVariants = {
  'follow-retryable-order': {
    about: 'signs and sends an order again on nonce_reused, which is marked retryable',
    ...{ world: 'convert', untidy: ['faults'] },
    ports: sendingOrders(onceMore(({ code }) => code === 'nonce_reused')),
  },
  'follow-retryable-withdrawal': {
    about: 'signs and sends a withdrawal again on nonce_reused, which is marked retryable',
    ...{ world: 'withdraw', untidy: ['faults'] },
    ports: sendingWithdrawals(onceMore(({ code }) => code === 'nonce_reused')),
  },
  'retry-5xx': {
    about: 'signs and sends a withdrawal again on a 5xx, which is marked retryable',
    world: 'withdraw',
    ports: sendingWithdrawals(onceMore(({ status = 0 }) => status >= 500)),
  },
  'resend-order': {
    about: 'sends the same signed order again when no answer came',
    world: 'convert',
    ports: sendingOrders((first) => onceMore(() => true)(first, first)),
  },
  'resend-withdrawal': {
    about: 'sends the same signed withdrawal again when no answer came',
    world: 'withdraw',
    ports: sendingWithdrawals((first) => onceMore(() => true)(first, first)),
  },
  'sign-again-with-new-key': {
    about: 'signs and sends again at once when the key was refused, as nothing can have moved',
    world: 'convert',
    ports: sendingOrders(async (first, again, client) => {
      const answer = await first()
      if (answer.kind === 'accepted' || !answer.said.keyAtFault) return answer
      client.forgetKeys()
      return again()
    }),
  },
  'send-before-arm': {
    about: 'sends, and then writes down that it does',
    world: 'withdraw',
    ports: atClient((client) => ({
      async prepareWithdrawal(...asked) {
        const prepared = await client.prepareWithdrawal(...asked)
        const answer = await prepared.send()
        return { ...prepared, send: async () => answer }
      },
    })),
  },
  'an-attempt-more': {
    about: 'makes one attempt more than is configured',
    ...{ world: 'convert', untidy: ['attempts'] },
    ...timed(({ attempts }) => ({ attempts: attempts + 1 })),
  },
  'attempts-without-number': {
    about: 'gives its next attempt the number of the previous attempt',
    world: 'convert',
    ports: atJournal((journal) => ({
      advance: (intent, { attemptNumber: _attemptNumber, ...move }) => journal.advance(intent, move),
    })),
  },
  'any-key-looks': {
    about: 'looks for a movement with any key',
    world: 'convert',
    ports: atClient((client, intent) => ({
      async keyInUse() {
        const kid = await client.keyInUse()
        const doubted = intent()
        return doubted?.state === IntentState.Armed && doubted.attempt ? doubted.attempt.kid : kid
      },
    })),
  },
  'any-key-looks-for-rows': {
    about: 'looks for the row of a withdrawal with any key',
    ...{ world: 'withdraw', untidy: ['keys', 'permissions'] },
    ports: atClient((client, intent) => ({
      async keyInUse() {
        const kid = await client.keyInUse()
        const doubted = intent()
        return doubted?.state === IntentState.Armed && doubted.attempt ? doubted.attempt.kid : kid
      },
    })),
  },
  'any-key-sends': {
    about: 'sends with a key of another account, which it takes for its own',
    world: 'mixed',
    ports: atClient((client, intent) => ({
      accountOfKey: async () => intent()?.frozen.account ?? client.accountOfKey(),
    })),
  },
  'account-not-pinned': {
    about: 'goes by the account of whatever key an intent is opened with',
    world: 'mixed',
    ports: (ports) => ({
      ...ports,
      account: { settle: async (account, stage) => (account === undefined ? undefined : { account, stage }) },
    }),
  },
  'quote-believes-the-service': {
    about: 'passes on whatever is quoted, as if it were what was requested',
    ...{ world: 'convert', untidy: ['quotes'] },
    ports: atClient((client) => ({
      async createQuote(request) {
        const quoted = await client.createQuote(request)
        const isBase = request.amountAsset === request.baseAsset
        return {
          ...quoted,
          market: `${request.baseAsset}-${request.quoteAsset}`,
          ...(isBase ? { baseAmount: request.amount } : { quoteAmount: request.amount }),
        }
      },
    })),
  },
  'price-of-the-record': {
    about: 'judges a quote by the rate that the step before has settled',
    ...{ world: 'convert', untidy: ['insiders', 'prices'] },
    ports: atClient((client, intent) => ({
      indicativeRate: async (request) =>
        (intent()?.frozen as { readonly referenceRate?: string } | undefined)?.referenceRate ??
        client.indicativeRate(request),
    })),
  },
  'rows-of-first-attempt': {
    about: 'does not know which rows were there before its send',
    world: 'withdraw',
    ports: forgettingOfAttempts(() => ({ known: [] })),
  },
}
