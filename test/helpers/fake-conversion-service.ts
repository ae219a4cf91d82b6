// A conversion service with answers from the test, for decisions that stand alone. It enforces no rules; whole machines
// are tested against the sandbox.

import type { ConvertFill, QuotedTerms } from '../../core/contract/convert.ts'
import { type Timing, timing as timingSchema } from '../../core/contract/timing.ts'
import { type Treasury, treasury } from '../../core/contract/treasury.ts'
import { createMovementGuard, type MovementGuard } from '../../core/guards/movement-guard.ts'
import { createPolicyTerms, type GuardSettings } from '../../core/guards/policy-terms.ts'
import { createBudgets } from '../../core/journal/budgets.ts'
import { createFloors } from '../../core/journal/floors.ts'
import { createHalts, type Halts } from '../../core/journal/halts.ts'
import { createJournal, type Journal } from '../../core/journal/journal.ts'
import { createLanes, type Lanes } from '../../core/journal/lanes.ts'
import { createPinnedAccount, type PinnedAccount } from '../../core/journal/pinned-account.ts'
import { createPolicyNames } from '../../core/journal/policy-names.ts'
import { createApprovedLegs } from '../../core/runs/approval/approved-leg.ts'
import { createMovementApprovals } from '../../core/runs/approval/decisions-on-movement.ts'
import type {
  BalanceFigures,
  ConversionService,
  OrderSender,
  OrderState,
  QuoteRequest,
  SendAnswer,
  Spellings,
} from '../../core/service/ports.ts'
import { decisionKey } from './decision-key.ts'
import { createMemoryStore, type MemoryStore } from './memory-store.ts'

export const START_MS = Date.parse('2026-01-01T00:00:00Z')
export const TERMS: QuotedTerms = {
  orderId: 'order-1',
  market: 'BTC-USDC',
  rate: '50000',
  baseAmount: '0.1',
  quoteAmount: '5000',
  expiresAt: '2026-01-01T00:00:05.000Z',
}
export const FILLED_ORDER: OrderState = {
  id: 'order-1',
  status: 'FILLED',
  side: 'BUY',
  market: 'BTC-USDC',
  baseAsset: 'BTC',
  quoteAsset: 'USDC',
  baseAmount: '0.1',
  filledBaseAmount: '0.1',
  quoteAmount: '5000',
  filledQuoteAmount: '5000',
  rate: '50000',
}

export const FILL: ConvertFill = {
  id: 'fill-1',
  sequence: 1,
  baseAmount: '0.1',
  quoteAmount: '5000',
  rate: '50000',
  executedAt: '2026-01-01T00:00:01Z',
}

export interface FakeService {
  nowMs: number
  increment: string
  indicative: string
  /** Figures of each held asset. */
  balances: BalanceFigures[]
  /** Answers of `findPrice`, by `BASE-QUOTE SIDE`. Other markets have no price. */
  prices: Readonly<Record<string, string>>
  terms: QuotedTerms | Error
  /** Answers of `findOrder`, one after another. The last one stays. */
  orders: (OrderState | undefined | Error)[]
  fills: readonly ConvertFill[]
  answer: SendAnswer
  readonly calls: string[]
  readonly quotesAsked: QuoteRequest[]
  readonly sentOrders: string[]
  keysForgotten: number
  /** Prefix of the key in use. */
  kid: string
  account: string | undefined
}

export interface FakePorts {
  readonly fake: FakeService
  readonly store: MemoryStore
  readonly journal: Journal
  readonly account: PinnedAccount
  readonly lanes: Lanes
  readonly halts: Halts
  readonly guards: GuardSettings
  readonly treasury: ReturnType<typeof parseFakeTreasury>
  readonly guard: MovementGuard
  readonly service: ConversionService
  readonly sender: OrderSender
  readonly newId: () => string
  readonly clock: { nowMs(): number; sleep(durationMs: number): Promise<void> }
  readonly timing: Timing
}

/** The guards and policies of treasury.json, before its defaults. */
export interface FakeTreasury {
  readonly guards?: object
  readonly policies?: object
}

function parseFakeTreasury(parts: FakeTreasury): Treasury {
  return treasury.parse({ service: { url: 'https://service.example', stage: 'test' }, ...parts })
}

export function fakePorts(
  change: Partial<FakeService> = {},
  timing: Partial<Timing> = {},
  parts: FakeTreasury = {},
): FakePorts {
  let ids = 0
  const newId = () => `id-${++ids}`
  const fake: FakeService = {
    nowMs: START_MS,
    increment: '0.00000001',
    indicative: '50000',
    balances: [],
    prices: {},
    terms: TERMS,
    orders: [FILLED_ORDER],
    fills: [FILL],
    answer: { kind: 'accepted', status: 'FILLED' },
    calls: [],
    quotesAsked: [],
    sentOrders: [],
    keysForgotten: 0,
    kid: 'svc_test_0123456789ab',
    account: 'account-1',
    ...change,
  }
  const answer = <T>(name: string, value: T | Error): Promise<T> => {
    fake.calls.push(name)
    return value instanceof Error ? Promise.reject(value) : Promise.resolve(value)
  }
  const service: ConversionService = {
    clock: {
      measure: () => answer('measure', undefined),
      ensure: () => answer('ensure', undefined),
      nowMs: () => fake.nowMs,
      reachedMs: () => fake.nowMs,
      atMostMs: () => fake.nowMs,
    },
    keyInUse: async () => fake.kid,
    accountOfKey: async () => fake.account,
    forgetKeys: () => {
      fake.keysForgotten += 1
    },
    knownAsset: (assetSymbol) => answer('knownAsset', { ...spellingsOf(assetSymbol), amountIncrement: fake.increment }),
    findPrice: (base, quote, side) =>
      answer(`findPrice ${base}-${quote} ${side}`, fake.prices[`${base}-${quote} ${side}`]),
    indicativeRate: () => answer('indicativeRate', fake.indicative),
    balances: () => answer('balances', fake.balances),
    createQuote: (request) => {
      fake.quotesAsked.push(request)
      return answer('createQuote', fake.terms)
    },
    findOrder: () => answer('findOrder', fake.orders.length > 1 ? fake.orders.shift() : fake.orders[0]),
    fillsOf: () => answer('fillsOf', fake.fills),
  }
  const sender: OrderSender = {
    prepareOrder: async (orderId, tokenLifeSeconds) => {
      const iat = Math.floor(fake.nowMs / 1000)
      return {
        facts: {
          nonce: newId(),
          kid: fake.kid,
          iat,
          exp: iat + tokenLifeSeconds,
          bodySha256: 'ab'.repeat(32),
        },
        send: () => {
          fake.sentOrders.push(orderId)
          return answer('send', fake.answer)
        },
      }
    },
    forgetKeys: () => {
      fake.keysForgotten += 1
    },
  }
  const clock = {
    nowMs: () => fake.nowMs,
    sleep: async (durationMs: number) => {
      fake.nowMs += durationMs
    },
  }
  const store = createMemoryStore()
  const journal = createJournal(store, newId)
  const treasury = parseFakeTreasury(parts)
  const policies = createPolicyTerms(
    treasury.policies,
    store,
    createApprovedLegs(store, treasury.policies, decisionKey),
  )
  const guards = { everywhere: treasury.guards, policies }
  return {
    fake,
    store,
    ...{ guards, treasury },
    guard: createMovementGuard(
      guards,
      createBudgets(store, journal, newId),
      createFloors(store, journal, newId),
      createMovementApprovals(store, decisionKey),
      createPolicyNames(store, treasury.policies),
    ),
    journal,
    account: createPinnedAccount(store, newId),
    lanes: createLanes(store, journal, newId),
    halts: createHalts(store, newId, treasury),
    service,
    sender,
    newId,
    clock,
    timing: timingSchema.parse(timing),
  }
}

/** One equity rebases here. Codes are known in any case. */
function spellingsOf(assetSymbol: string): Spellings {
  const code = assetSymbol.toUpperCase()
  if (code === 'AAPLX' || code === 'AAPLSPV') return { assetSymbol: 'AAPLSPV', rebasedSymbol: 'AAPLX' }
  return { assetSymbol: code, rebasedSymbol: code }
}
