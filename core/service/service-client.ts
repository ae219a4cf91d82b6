// Composes the client of the service (API v2): the typed endpoints, and the ports that decisions use. Keys, clock, randomness
// and ids come in as arguments. Transport, reading, signing and each resource have files beside this one. Its own rule is that
// a quote waits for its turn.
import { type Clock, type NewId, type Random, systemRandom } from '../clock.ts'
import { RateLimited } from '../errors.ts'
import type { KeySource } from '../keys/key-source.ts'
import { type Account, createKeyAccount, type Health, readAccount, readHealth } from './account.ts'
import { type Asset, createKnownAssets, listAssets, readAsset } from './assets.ts'
import {
  type Balance,
  type HistoricalBalance,
  type HistoryFilter,
  listBalances,
  walkBalanceHistory,
} from './balances.ts'
import type { AgentOptions } from './connections.ts'
import {
  type Contact,
  type ContactFilter,
  type ContactLabels,
  listContacts,
  readContact,
  renameContact,
  walkContacts,
} from './contacts.ts'
import { createEndurance, READ_LIMITS, type ReadLimits } from './endure.ts'
import {
  type Fill,
  type FillFilter,
  listFills,
  listOrderFills,
  settledFills,
  walkFills,
  walkOrderFills,
} from './fills.ts'
import { createTransport, type PaceHeaders, type TransportLimits } from './http.ts'
import {
  type Deposit,
  type DepositFilter,
  type LedgerEntry,
  type LedgerFilter,
  readLedgerPage,
  settledDeposits,
  walkDeposits,
  walkLedger,
} from './ledger.ts'
import {
  findPrice,
  listMarkets,
  type Market,
  type Price,
  type PriceRequest,
  readMarket,
  readPrice,
  readPriceNow,
} from './markets.ts'
import {
  createQuote,
  findOrder,
  listOrders,
  type Order,
  type OrderFilter,
  prepareOrder,
  type Quote,
  readOrder,
  settledOrders,
  walkOrders,
} from './orders.ts'
import { createReadBudget, heeding, type ReadBudget } from './pace.ts'
import type { Page, WalkBounds } from './pages.ts'
import type {
  ConversionService,
  OrderSender,
  QuoteRequest,
  ReportedLimit,
  WithdrawalSender,
  WithdrawalService,
} from './ports.ts'
import { createReader } from './reader.ts'
import { createRebasedReads, type RebasedReads } from './rebased-reads.ts'
import type { TimeReading } from './recognise-time.ts'
import { createServiceClock, type MeasuredClock, readServiceTime } from './service-clock.ts'
import { createSignedSender } from './signed-send.ts'
import { readWebhookKeys, type WebhookKey } from './webhook-deliveries.ts'
import {
  findWithdrawal,
  listWithdrawals,
  prepareWithdrawal,
  readWithdrawal,
  settledWithdrawals,
  type Withdrawal,
  type WithdrawalFilter,
  walkWithdrawals,
} from './withdrawals.ts'

export interface ServiceClientOptions {
  /** `http(s)://host[:port][/path]`, without `/v2`. */
  readonly baseUrl: string
  readonly key: KeySource
  readonly clock: Clock
  /** For nonces. */
  readonly newId: NewId
  /** Randomness for the jitter of waits; the machine's own by default. */
  readonly random?: Random
  readonly agentOptions?: AgentOptions
  readonly limits?: Partial<TransportLimits>
  /** Limits of a read's repetitions: `READ_LIMITS` by default. */
  readonly readLimits?: Partial<ReadLimits>
  /** Budget of reads, shared by clients of one account; a new budget by default. */
  readonly budget?: ReadBudget
  /** Whether a quote may be requested now, by the last reported limit; always by default. */
  readonly quoteTurn?: (told: ReportedLimit | undefined) => Promise<boolean>
  readonly onPace?: (pace: PaceHeaders) => void
}

/**
 * Client of the service. Every amount and rate in and out is a settled decimal string; `rebased` has figures for
 * people. Calls throw Transient, Refused, KeyFault or Defect; errors from answers carry a ServiceProblem (`problemOf`
 * in problem.ts). Reads are repeated (endure.ts). Quotes, renames and sends go out once.
 *
 * `walk…` methods yield items one by one and hold one page: leave the loop when you have enough. The other lists return
 * every match or throw.
 */
export interface ServiceClient extends ConversionService, OrderSender, WithdrawalService, WithdrawalSender {
  readonly clock: MeasuredClock
  readonly rebased: RebasedReads

  health(): Promise<Health>
  /** Time that `/v2/time` shows now. Calculate with `clock` instead. */
  time(): Promise<TimeReading>
  account(): Promise<Account>

  assets(): Promise<readonly Asset[]>
  asset(assetSymbol: string): Promise<Asset>
  markets(): Promise<readonly Market[]>
  market(marketId: string): Promise<Market>
  price(marketId: string, request: PriceRequest): Promise<Price>

  createQuote(request: QuoteRequest): Promise<Quote>
  order(orderId: string): Promise<Order>
  findOrder(orderId: string): Promise<Order | undefined>
  listOrders(filter: OrderFilter, limit: number): Promise<readonly Order[]>
  walkOrders(filter?: OrderFilter, bounds?: WalkBounds): AsyncGenerator<Order, void>
  fillsOf(orderId: string, limit: number): Promise<readonly Fill[]>
  fills(filter: FillFilter, limit: number): Promise<readonly Fill[]>
  walkFills(filter?: FillFilter, bounds?: WalkBounds): AsyncGenerator<Fill, void>
  /** Newest first. */
  walkFillsOf(orderId: string, bounds?: WalkBounds): AsyncGenerator<Fill, void>

  balances(): Promise<readonly Balance[]>
  walkBalanceHistory(
    assetSymbol: string,
    filter?: HistoryFilter,
    bounds?: WalkBounds,
  ): AsyncGenerator<HistoricalBalance, void>
  walkLedger(filter?: LedgerFilter, bounds?: WalkBounds): AsyncGenerator<LedgerEntry, void>
  /** One page of the whole ledger, counted from 1. `limit`: 1 to 100. */
  readLedgerPage(page: number, limit: number): Promise<Page<LedgerEntry>>
  walkDeposits(filter?: DepositFilter, bounds?: WalkBounds): AsyncGenerator<Deposit, void>

  withdrawal(withdrawalId: string): Promise<Withdrawal>
  findWithdrawal(withdrawalId: string): Promise<Withdrawal | undefined>
  listWithdrawals(filter: WithdrawalFilter, limit: number): Promise<readonly Withdrawal[]>
  walkWithdrawals(filter?: WithdrawalFilter, bounds?: WalkBounds): AsyncGenerator<Withdrawal, void>

  contacts(filter?: ContactFilter): Promise<readonly Contact[]>
  contact(contactId: string): Promise<Contact>
  walkContacts(filter?: ContactFilter, bounds?: WalkBounds): AsyncGenerator<Contact, void>
  renameContact(contactId: string, labels: ContactLabels): Promise<Contact>

  webhookKeys(): Promise<readonly WebhookKey[]>

  /** Whether at least `percent` of the service's rate limit is left, as far as it reports one. */
  hasLeft(percent: number): boolean

  close(): void
}

const alwaysAllowed = async () => true

/** Milliseconds that a quote waits for its turn inside the process. A state machine waits longer more cheaply. */
const QUOTE_TURN_MS = 1_000

/** Creates a client without using the network. Throws Refused when `baseUrl` is not a usable address. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const {
    key,
    clock,
    newId,
    random = systemRandom,
    budget = createReadBudget({ clock }),
    quoteTurn = alwaysAllowed,
  } = options
  const transport = heeding(createTransport(options), budget, options.onPace)
  const endure = createEndurance({ clock, random, budget, readLimits: { ...READ_LIMITS, ...options.readLimits } })
  const reader = createReader(transport, key, endure)
  const serviceClock = createServiceClock(transport, clock, endure)
  const sender = createSignedSender({ transport, keys: key, clock: serviceClock, newId })
  const webhookKeys = () => readWebhookKeys(reader)

  return {
    ...createKeyAccount(key, reader),
    clock: serviceClock,
    rebased: createRebasedReads(reader),

    health: () => readHealth(reader),
    time: () => endure((timeoutMs) => readServiceTime(transport, timeoutMs)),
    account: () => readAccount(reader),

    assets: () => listAssets(reader),
    asset: (assetSymbol) => readAsset(reader, assetSymbol),
    knownAsset: createKnownAssets(reader, clock),
    markets: () => listMarkets(reader),
    market: (marketId) => readMarket(reader, marketId),
    price: (marketId, request) => readPriceNow(reader, marketId, request),
    indicativeRate: async ({ baseAsset, quoteAsset, side, amount, amountAsset }) =>
      (await readPrice(reader, `${baseAsset}-${quoteAsset}`, { side, amount, amountAsset })).rate,

    findPrice: (baseAsset, quoteAsset, side) => findPrice(reader, `${baseAsset}-${quoteAsset}`, side),

    async createQuote(request) {
      // A quote lives for seconds, so request it only where its order will find room in the limit.
      if (!(await budget.take(QUOTE_TURN_MS)) || !(await quoteTurn(budget.told())))
        throw new RateLimited(budget.whyNone())
      return createQuote(reader, request)
    },
    order: (orderId) => readOrder(reader, orderId, settledOrders),
    findOrder: (orderId) => findOrder(reader, orderId),
    listOrders: (filter, limit) => listOrders(reader, filter, limit),
    walkOrders: (filter = {}, bounds = {}) => walkOrders(reader, filter, bounds, settledOrders),
    fillsOf: (orderId, limit) => listOrderFills(reader, orderId, limit),
    fills: (filter, limit) => listFills(reader, filter, limit),
    walkFills: (filter = {}, bounds = {}) => walkFills(reader, filter, bounds, settledFills),
    walkFillsOf: (orderId, bounds = {}) => walkOrderFills(reader, orderId, bounds, settledFills),
    prepareOrder: (orderId, tokenLifeSeconds) => prepareOrder(sender, orderId, tokenLifeSeconds),

    balances: () => listBalances(reader),
    walkBalanceHistory: (assetSymbol, filter = {}, bounds = {}) =>
      walkBalanceHistory(reader, assetSymbol, filter, bounds),
    walkLedger: (filter = {}, bounds = {}) => walkLedger(reader, filter, bounds),
    readLedgerPage: (page, limit) => readLedgerPage(reader, page, limit),
    walkDeposits: (filter = {}, bounds = {}) => walkDeposits(reader, filter, bounds, settledDeposits),

    withdrawal: (withdrawalId) => readWithdrawal(reader, withdrawalId, settledWithdrawals),
    findWithdrawal: (withdrawalId) => findWithdrawal(reader, withdrawalId),
    listWithdrawals: (filter, limit) => listWithdrawals(reader, filter, limit),
    walkWithdrawals: (filter = {}, bounds = {}) => walkWithdrawals(reader, filter, bounds, settledWithdrawals),
    prepareWithdrawal: (request, tokenLifeSeconds) => prepareWithdrawal(sender, request, tokenLifeSeconds),

    contacts: (filter = {}) => listContacts(reader, filter),
    contact: (contactId) => readContact(reader, contactId),
    walkContacts: (filter = {}, bounds = {}) => walkContacts(reader, filter, bounds),
    renameContact: (contactId, labels) => renameContact(reader, contactId, labels),

    webhookKeys,

    hasLeft: (percent) => budget.hasLeft(percent),

    close: () => transport.close(),
  }
}
