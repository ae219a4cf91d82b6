// Composes the client of the service (API v2, first half): the typed endpoints, and the ports
// that decisions use. Keys, clock and ids come in as arguments. It owns no rule of its own:
// transport, reading, signing and each resource have their files beside it.
import type { Clock, NewId } from '../clock.ts'
import type { KeySource } from '../keys/key-source.ts'
import { type Account, readAccount } from './account.ts'
import { type Asset, listAssets, readAsset } from './assets.ts'
import { type Balance, listBalances } from './balances.ts'
import type { AgentOptions } from './connections.ts'
import { type Fill, type FillFilter, listFills, listOrderFills } from './fills.ts'
import { createTransport, type TransportLimits } from './http.ts'
import { listMarkets, type Market, type Price, type PriceRequest, readMarket, readPrice } from './markets.ts'
import { findOrder, listOrders, type Order, type OrderFilter, prepareOrder, readOrder } from './orders.ts'
import type { ConversionService, OrderSender, QuoteRequest } from './ports.ts'
import { createQuote, type Quote } from './quotes.ts'
import { createReader } from './reader.ts'
import { createServiceClock, readServiceTime, type TimeReading } from './service-clock.ts'
import { createSignedSender } from './signed-send.ts'
import { type Health, readHealth } from './system.ts'

export interface ServiceClientOptions {
  /** `http(s)://host[:port][/path]`, without `/v2`. */
  readonly baseUrl: string
  readonly key: KeySource
  readonly clock: Clock
  /** Makes nonces. */
  readonly newId: NewId
  readonly agentOptions?: AgentOptions
  readonly limits?: Partial<TransportLimits>
}

/**
 * Every amount and rate in and out is a settled decimal string. Calls throw Transient, Refused
 * or Defect; the errors of answers carry a ServiceProblem (see problem.ts, `problemOf`).
 */
export interface ServiceClient extends ConversionService, OrderSender {
  health(): Promise<Health>
  /** What `/v2/time` says now; `clock` is what to reckon with. */
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
  fillsOf(orderId: string, limit: number): Promise<readonly Fill[]>
  fills(filter: FillFilter, limit: number): Promise<readonly Fill[]>
  balances(): Promise<readonly Balance[]>
  /** Closes every connection. */
  close(): void
}

/** Touches no network. Throws Refused when `baseUrl` is no usable address. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient {
  const { key, clock, newId } = options
  const transport = createTransport(options)
  const reader = createReader(transport, key)
  const serviceClock = createServiceClock(transport, clock)
  const sender = createSignedSender({ transport, keys: key, clock: serviceClock, newId })

  return {
    clock: serviceClock,
    health: () => readHealth(reader),
    time: () => readServiceTime(transport),
    account: () => readAccount(reader),
    assets: () => listAssets(reader),
    asset: (assetSymbol) => readAsset(reader, assetSymbol),
    amountIncrement: async (assetSymbol) => (await readAsset(reader, assetSymbol)).amountIncrement,
    markets: () => listMarkets(reader),
    market: (marketId) => readMarket(reader, marketId),
    price: (marketId, request) => readPrice(reader, marketId, request),
    indicativeRate: async ({ baseAsset, quoteAsset, side, amount, amountAsset }) =>
      (await readPrice(reader, `${baseAsset}-${quoteAsset}`, { side, amount, amountAsset })).rate,
    createQuote: (request) => createQuote(reader, request),
    order: (orderId) => readOrder(reader, orderId),
    findOrder: (orderId) => findOrder(reader, orderId),
    listOrders: (filter, limit) => listOrders(reader, filter, limit),
    fillsOf: (orderId, limit) => listOrderFills(reader, orderId, limit),
    fills: (filter, limit) => listFills(reader, filter, limit),
    balances: () => listBalances(reader),
    prepareOrder: (orderId, tokenLifeSeconds) => prepareOrder(sender, orderId, tokenLifeSeconds),
    forgetKeys: () => key.forget(),
    close: () => transport.close(),
  }
}
