// Turns each thing of the account into the fields of a body, as the service answers it. Also splits entries, and judges the
// ends of lists, as the manners ask.

import { type Amount, formatAmount, ONE } from './amount.ts'
import { type Asset, assetOf } from './assets.ts'
import type { Contact } from './contacts.ts'
import type { AssetFormat } from './fields.ts'
import type { Entry } from './ledger.ts'
import type { Manners } from './manners/manners.ts'
import { type Market, marketOf } from './markets.ts'
import { Problem } from './problem.ts'
import type { Deposit, Fill, Order, Quote, Terms, Withdrawal } from './records.ts'
import { showAmount, showLegs, showRate, showSymbol, showTime } from './representation.ts'
import { totalOf } from './withdrawal-book.ts'
import type { World } from './world.ts'

/** The unit of every balancePrefCurrency. */
export const PREFERRED_CURRENCY = 'EUR'

export function showAccount(world: World): Record<string, unknown> {
  return {
    id: world.accountId,
    username: 'sandbox-treasury',
    email: 'treasury@sandbox.example',
    fullName: 'Sandbox Treasury Ltd',
    nationalId: null,
    verificationStatus: 'VERIFIED',
    preferredCurrency: PREFERRED_CURRENCY,
  }
}

export function showBalance(world: World, asset: Asset, format: AssetFormat, nowMs: number): Record<string, unknown> {
  const { available, frozen, pending } = world.ledger.position(asset.symbol)
  const multiplier = world.multiplier(asset.symbol)
  const balance = world.manners.readings === 'usual' ? available.plus(frozen) : available
  const capacity = world.credit.capacity(asset.symbol)
  const figures = (units: AssetFormat) => ({
    balance: showAmount(balance, asset, multiplier, units),
    balanceFrozen: showAmount(frozen, asset, multiplier, units),
    balancePending: showAmount(pending, asset, multiplier, units),
  })
  const settled = figures('base')
  return {
    assetSymbol: showSymbol(asset, format),
    ...(format === 'base' || multiplier.eq(ONE) ? settled : figures(format)),
    ...(capacity && {
      balanceCapacityTotal: showAmount(capacity.total, asset, multiplier, format),
      balanceCapacityAvailable: showAmount(capacity.available, asset, multiplier, format),
      balanceCapacitySpent: showAmount(capacity.spent, asset, multiplier, format),
    }),
    balancePrefCurrency: formatAmount(world.prices.value(balance, asset, PREFERRED_CURRENCY, nowMs)),
    balanceUSD: formatAmount(world.prices.value(balance, asset, 'USD', nowMs)),
    multiplier: formatAmount(multiplier),
    assetFormat: format,
    base: { asset: asset.symbol, ...settled },
  }
}

/** Returns the quotation_expired problem. The description does not show its status and its retryable flag. */
export function quotationExpired({ readings }: Manners, detail: string): Problem {
  return new Problem('quotation_expired', detail, readings === 'usual' ? {} : { status: 409, retryable: true })
}

/** Whether a row is within a list's endDate: exclusive, as for fills, or inclusive. */
export function isWithinEnd({ readings }: Manners, atMs: number, endMs: number | undefined): boolean {
  return endMs === undefined || atMs < endMs || (readings === 'other' && atMs === endMs)
}

export function showContact(contact: Contact): Record<string, unknown> {
  return {
    id: contact.id,
    reference: contact.reference,
    type: contact.type,
    alias: contact.alias,
    createdAt: showTime(contact.createdAtMs),
    updatedAt: showTime(contact.updatedAtMs),
    ...(contact.type === 'EXTERNAL_CRYPTO' && { crypto: showCrypto(contact) }),
    ...(contact.type === 'BANK_ACCOUNT' && { bank: showBank(contact) }),
  }
}

function showCrypto(contact: Contact): Record<string, unknown> {
  const asset = assetOf(contact.assetSymbol ?? '')
  const network = asset.networks.find(({ networkId }) => networkId === contact.networkId)
  return {
    assetSymbol: asset.symbol,
    assetName: asset.name,
    networkSymbol: network === undefined ? null : `${network.networkName.toUpperCase()} MAINNET`,
    networkName: network?.networkName ?? null,
    networkId: contact.networkId,
    address: contact.destination,
  }
}

function showBank(contact: Contact): Record<string, unknown> {
  return {
    assetSymbol: contact.assetSymbol,
    nationalId: null,
    bankId: contact.assetSymbol === 'CLP' ? 'REDPAY' : 'HOUSE',
    bankName: contact.assetSymbol === 'CLP' ? 'Instant transfer network' : 'House Bank',
    accountTypeId: 'CHECKING',
    bankAccountType: 'Current account',
    bankAccountNumber: contact.destination,
    accountEmail: 'treasury@sandbox.example',
  }
}

export function showDeposit(deposit: Deposit, format: AssetFormat): Record<string, unknown> {
  const asset = assetOf(deposit.assetSymbol)
  return {
    id: deposit.id,
    type: 'DEPOSIT',
    assetSymbol: showSymbol(asset, format),
    amount: showAmount(deposit.amount, asset, deposit.multiplier, format),
    status: 'COMPLETED',
    createdAt: showTime(deposit.createdAtMs),
    assetFormat: format,
    multiplier: formatAmount(deposit.multiplier),
    base: { asset: asset.symbol, amount: formatAmount(deposit.amount) },
  }
}

/** An entry as readers see it: the whole entry of the ledger, or a part or leg of it. */
interface ShownEntry extends Entry {
  /** Suffix of the id. */
  readonly part?: string
}

const REFUND_TYPES = { bounced: 'PAYMENT_BOUNCED', deposited: 'DEPOSIT' } as const

/** Splits or names an entry as the manners ask. Only withdrawals have a fee, so only their entries are split. */
export function entriesOf({ manners, withdrawals }: World, entry: Entry): readonly ShownEntry[] {
  const withdrawal = withdrawals.find(entry.source.id)
  if (entry.source.type !== 'withdrawal' || withdrawal === undefined || manners.entries === 'whole') return [entry]
  if (manners.entries === 'untyped') return [{ ...entry, type: '' }]
  if (manners.entries === 'bounced' || manners.entries === 'deposited') {
    const type = entry.type === 'WITHDRAWAL' ? entry.type : REFUND_TYPES[manners.entries]
    return [{ ...entry, type }]
  }
  if (manners.entries === 'legs') {
    return ['DEBIT', 'CREDIT'].map((leg) => ({ ...entry, type: leg, part: leg.toLowerCase() }))
  }
  const feeType = entry.type === 'WITHDRAWAL' ? 'WITHDRAWAL_FEE' : 'WITHDRAWAL_FEE_REFUND'
  const parts = [
    { ...entry, amount: withdrawal.amount, part: 'amount' },
    { ...entry, type: feeType, amount: withdrawal.fee, part: 'fee' },
  ]
  return parts.filter(({ amount }) => !amount.isZero())
}

export function showEntry(entry: ShownEntry): Record<string, unknown> {
  return {
    id: `entry-${entry.sequence}${entry.part === undefined ? '' : `-${entry.part}`}`,
    type: entry.type,
    assetSymbol: entry.asset,
    amount: formatAmount(entry.amount),
    source: entry.source,
    orderId: entry.orderId ?? null,
    createdAt: showTime(entry.atMs),
  }
}

export function showOrder(order: Order, format: AssetFormat): Record<string, unknown> {
  const market = marketOf(order.marketId)
  const figures = (units: AssetFormat) => ({
    ...showLegs(market, units),
    baseAmount: showAmount(order.baseAmount, market.base, order.multiplier, units),
    filledBaseAmount: showAmount(order.filledBaseAmount, market.base, order.multiplier, units),
    quoteAmount: formatAmount(order.quoteAmount),
    filledQuoteAmount: formatAmount(order.filledQuoteAmount),
    rate: showRate(order.rate, order.multiplier, units),
  })
  return {
    id: order.id,
    status: order.status,
    side: order.side,
    market: market.id,
    ...figures(format),
    multiplier: formatAmount(order.multiplier),
    assetFormat: format,
    onCredit: order.onCredit,
    createdAt: showTime(order.createdAtMs),
    base: figures('base'),
  }
}

/** `order`: the order of the fill. A fill shows the order's current state. */
export function showFill(fill: Fill, order: Order, format: AssetFormat): Record<string, unknown> {
  const market = marketOf(order.marketId)
  const figures = (units: AssetFormat) => ({
    ...showLegs(market, units),
    baseAmount: showAmount(fill.baseAmount, market.base, fill.multiplier, units),
    quoteAmount: formatAmount(fill.quoteAmount),
    rate: showRate(order.rate, fill.multiplier, units),
  })
  const filled = (units: AssetFormat) => ({
    filledBaseAmount: showAmount(order.filledBaseAmount, market.base, order.multiplier, units),
    filledQuoteAmount: formatAmount(order.filledQuoteAmount),
  })
  return {
    id: fill.id,
    orderId: order.id,
    sequence: fill.sequence,
    side: order.side,
    market: market.id,
    ...figures(format),
    multiplier: formatAmount(fill.multiplier),
    assetFormat: format,
    onCredit: fill.onCredit,
    executedAt: showTime(fill.executedAtMs),
    order: { status: order.status, ...filled(format) },
    base: { ...figures('base'), order: filled('base') },
  }
}

export function showPrice(terms: Terms, format: AssetFormat): Record<string, unknown> {
  return {
    market: terms.marketId,
    side: terms.side,
    ...showTerms(terms, format),
    multiplier: formatAmount(terms.multiplier),
    assetFormat: format,
    base: showTerms(terms, 'base'),
  }
}

function showTerms(terms: Terms, format: AssetFormat): Record<string, string> {
  const { base } = marketOf(terms.marketId)
  return {
    rate: showRate(terms.rate, terms.multiplier, format),
    baseAmount: showAmount(terms.baseAmount, base, terms.multiplier, format),
    quoteAmount: formatAmount(terms.quoteAmount),
  }
}

export function showQuote(quote: Quote, format: AssetFormat): Record<string, unknown> {
  return {
    orderId: quote.id,
    clientOrderId: quote.id,
    market: quote.marketId,
    ...showTerms(quote, format),
    quotedAt: showTime(quote.quotedAtMs),
    expiresAt: showTime(quote.expiresAtMs),
    multiplier: formatAmount(quote.multiplier),
    assetFormat: format,
    base: showTerms(quote, 'base'),
  }
}

/** Caches, because reference data is read often and changes rarely. An asset is kept for one multiplier. */
const shownAssets = new WeakMap<Asset, { readonly multiplier: Amount; readonly shown: Record<string, unknown> }>()

const shownMarkets = new WeakMap<Market, Record<string, unknown>>()

export function showAsset(asset: Asset, multiplier: Amount): Record<string, unknown> {
  const kept = shownAssets.get(asset)
  if (kept?.multiplier.eq(multiplier)) return kept.shown
  const shown = makeAsset(asset, multiplier)
  shownAssets.set(asset, { multiplier, shown })
  return shown
}

export function showMarket(market: Market): Record<string, unknown> {
  const kept = shownMarkets.get(market)
  if (kept !== undefined) return kept
  const shown = makeMarket(market)
  shownMarkets.set(market, shown)
  return shown
}

function makeAsset(asset: Asset, multiplier: Amount): Record<string, unknown> {
  return {
    assetSymbol: asset.symbol,
    rebasedSymbol: asset.rebasedSymbol,
    assetName: asset.name,
    assetClass: asset.assetClass,
    amountIncrement: formatAmount(asset.increment),
    displayIncrement: formatAmount(asset.displayIncrement),
    minimumDeposit: formatAmount(asset.minimumDeposit),
    minimumWithdrawal: formatAmount(asset.minimumWithdrawal),
    minimumInternalWithdrawal: formatAmount(asset.minimumInternalWithdrawal),
    withdrawalFee: formatAmount(asset.withdrawalFee),
    maxIndicativeQuoteAmount: formatAmount(asset.maxIndicativeAmount),
    rebaseMultiplier: formatAmount(multiplier),
    networks: asset.networks.map((network) => ({
      networkName: network.networkName,
      networkId: network.networkId,
      evmChainId: network.evmChainId,
      networkNativeAsset: network.networkNativeAsset,
      assetType: network.assetType,
      withdrawalFee: formatAmount(network.withdrawalFee),
      minimumWithdrawal: formatAmount(network.minimumWithdrawal),
    })),
  }
}

function makeMarket(market: Market): Record<string, unknown> {
  return {
    id: market.id,
    baseAsset: market.base.symbol,
    rebasedBaseAsset: market.base.rebasedSymbol,
    quoteAsset: market.quote.symbol,
    minBaseAmount: formatAmount(market.minBaseAmount),
    minQuoteAmount: formatAmount(market.minQuoteAmount),
  }
}

export function showWithdrawal(withdrawal: Withdrawal, format: AssetFormat): Record<string, unknown> {
  const asset = assetOf(withdrawal.assetSymbol)
  const figures = (units: AssetFormat) => ({
    amount: showAmount(withdrawal.amount, asset, withdrawal.multiplier, units),
    fee: showAmount(withdrawal.fee, asset, withdrawal.multiplier, units),
    total: showAmount(totalOf(withdrawal), asset, withdrawal.multiplier, units),
  })
  return {
    id: withdrawal.id,
    type: 'WITHDRAWAL',
    subType: withdrawal.subType,
    assetSymbol: showSymbol(asset, format),
    ...figures(format),
    status: withdrawal.status,
    createdAt: showTime(withdrawal.createdAtMs),
    transactionHash: withdrawal.transactionHash,
    bankReference: withdrawal.bankReference,
    assetFormat: format,
    multiplier: formatAmount(withdrawal.multiplier),
    base: { asset: asset.symbol, ...figures('base') },
    withdrawalData: withdrawal.subType === 'EXTERNAL_CRYPTO' ? showNetwork(asset, withdrawal.networkId) : {},
  }
}

function showNetwork(asset: Asset, networkId: string | null): Record<string, unknown> {
  const network = asset.networks.find((candidate) => candidate.networkId === networkId)
  return {
    networkId: network?.networkId ?? null,
    networkName: network?.networkName ?? null,
    networkNativeAsset: network?.networkNativeAsset ?? null,
    evmChainId: network?.evmChainId ?? null,
    assetType: network?.assetType ?? null,
  }
}
