// zod schemas of the API's answers: the named components of the OpenAPI document. Tests check every answer of the
// running sandbox against the document, so it cannot drift. The service itself checks nothing by them.
import * as z from 'zod/mini'
import { PLAIN_DECIMAL } from '../amount.ts'
import { optional } from '../fields.ts'
import { PROBLEM_KINDS } from '../problem.ts'

const object = z.strictObject

const text = z.string()
const textOrNull = z.nullable(text)
const count = z.int().check(z.gte(0))
const fromOne = z.int().check(z.gte(1))
const amount = z.string().check(z.regex(PLAIN_DECIMAL))
const time = z.iso.datetime()
const timeOrNull = z.nullable(time)
const flag = z.boolean()
const assetFormat = z.enum(['base', 'rebased'])
const side = z.enum(['BUY', 'SELL'])

const rates = { rate: amount, baseAmount: amount, quoteAmount: amount }
const legs = { baseAsset: text, quoteAsset: text }
const orderFigures = { ...legs, ...rates, filledBaseAmount: amount, filledQuoteAmount: amount }
const orderStatus = z.enum(['NEW', 'PARTIALLY_FILLED', 'FILLED', 'FAILED'])
const balanceFigures = { balance: amount, balanceFrozen: amount, balancePending: amount }
const withdrawalFigures = { amount, fee: amount, total: amount }
const chain = {
  networkId: textOrNull,
  networkNativeAsset: textOrNull,
  evmChainId: z.nullable(fromOne),
  assetType: textOrNull,
}

const PaginationMeta = object({ page: fromOne, limit: fromOne, totalItems: count, totalPages: count })
const CursorMeta = object({ count, nextCursor: textOrNull })

export const COMPONENTS = {
  Problem: object({
    type: z.url(),
    title: text,
    status: z.int().check(z.gte(400), z.lte(599)),
    code: z.enum(Object.keys(PROBLEM_KINDS)),
    retryable: flag,
    detail: optional(text),
    instance: optional(text),
    traceId: optional(text),
    reason: optional(text),
    extensions: optional(z.record(z.string(), text)),
  }),
  PaginationMeta,
  CursorMeta,
  Health: object({ status: z.enum(['OK', 'MAINTENANCE']), time }),
  Time: object({ time, epochMs: z.int() }),
  WebhookKeySet: object({
    keys: z.array(object({ kty: text, crv: text, x: text, kid: text, alg: text, use: text })),
  }),
  Account: object({
    id: text,
    username: text,
    email: text,
    fullName: text,
    nationalId: textOrNull,
    verificationStatus: text,
    preferredCurrency: text,
  }),
  Asset: object({
    assetSymbol: text,
    rebasedSymbol: text,
    assetName: text,
    assetClass: z.enum(['FIAT', 'STABLECOIN', 'STOCK', 'CRYPTO']),
    amountIncrement: amount,
    displayIncrement: amount,
    minimumDeposit: amount,
    minimumWithdrawal: amount,
    minimumInternalWithdrawal: amount,
    withdrawalFee: amount,
    maxIndicativeQuoteAmount: amount,
    rebaseMultiplier: amount,
    networks: z.array(object({ networkName: text, ...chain, withdrawalFee: amount, minimumWithdrawal: amount })),
  }),
  Market: object({
    id: text,
    baseAsset: text,
    rebasedBaseAsset: text,
    quoteAsset: text,
    minBaseAmount: amount,
    minQuoteAmount: amount,
  }),
  Price: object({ market: text, side, ...rates, multiplier: amount, assetFormat, base: object(rates) }),
  Quote: object({
    orderId: text,
    clientOrderId: text,
    market: text,
    ...rates,
    quotedAt: timeOrNull,
    expiresAt: timeOrNull,
    multiplier: amount,
    assetFormat,
    base: object(rates),
  }),
  PlacedOrder: object({ id: text, status: z.enum(['FILLED', 'PROCESSING']), transactionId: optional(text) }),
  Order: object({
    id: text,
    status: orderStatus,
    side,
    market: text,
    ...orderFigures,
    multiplier: amount,
    assetFormat,
    onCredit: flag,
    createdAt: time,
    base: object(orderFigures),
  }),
  Fill: object({
    id: text,
    orderId: text,
    sequence: fromOne,
    side,
    market: text,
    ...legs,
    ...rates,
    multiplier: amount,
    assetFormat,
    onCredit: flag,
    executedAt: time,
    order: object({ status: orderStatus, filledBaseAmount: amount, filledQuoteAmount: amount }),
    base: object({ ...legs, ...rates, order: object({ filledBaseAmount: amount, filledQuoteAmount: amount }) }),
  }),
  Balance: object({
    assetSymbol: text,
    ...balanceFigures,
    balancePrefCurrency: amount,
    balanceUSD: amount,
    multiplier: amount,
    assetFormat,
    base: object({ asset: text, ...balanceFigures }),
    balanceCapacityTotal: optional(amount),
    balanceCapacityAvailable: optional(amount),
    balanceCapacitySpent: optional(amount),
  }),
  BalanceHistory: object({
    assetSymbol: text,
    granularity: z.enum(['day', 'week', 'month']),
    startDate: timeOrNull,
    endDate: timeOrNull,
    data: z.array(object({ date: z.iso.date(), balance: amount })),
    pagination: PaginationMeta,
  }),
  Withdrawal: object({
    id: text,
    type: z.enum(['WITHDRAWAL']),
    subType: z.enum(['INTERNAL', 'EXTERNAL_CRYPTO', 'EXTERNAL_FIAT_BANK', 'EXTERNAL_FIAT_REDPAY']),
    assetSymbol: text,
    ...withdrawalFigures,
    status: z.enum(['PENDING', 'PROCESSING', 'COMPLETED', 'FAILED']),
    createdAt: time,
    transactionHash: textOrNull,
    bankReference: z.nullable(text.check(z.minLength(3), z.maxLength(19))),
    assetFormat,
    multiplier: amount,
    base: object({ asset: textOrNull, ...withdrawalFigures }),
    withdrawalData: z.partial(object({ networkName: textOrNull, ...chain })),
  }),
  Contact: object({
    id: text,
    reference: textOrNull,
    type: z.enum(['INTERNAL', 'EXTERNAL_CRYPTO', 'BANK_ACCOUNT']),
    alias: text,
    createdAt: time,
    updatedAt: time,
    crypto: optional(
      object({
        assetSymbol: text,
        assetName: text,
        networkSymbol: textOrNull,
        networkName: textOrNull,
        networkId: textOrNull,
        address: text,
      }),
    ),
    bank: optional(
      object({
        assetSymbol: textOrNull,
        nationalId: textOrNull,
        bankId: textOrNull,
        bankName: textOrNull,
        accountTypeId: textOrNull,
        bankAccountType: textOrNull,
        bankAccountNumber: textOrNull,
        accountEmail: textOrNull,
      }),
    ),
  }),
  Deposit: object({
    id: text,
    type: z.enum(['DEPOSIT']),
    assetSymbol: text,
    amount,
    status: z.enum(['COMPLETED']),
    createdAt: time,
    assetFormat,
    multiplier: amount,
    base: object({ asset: text, amount }),
  }),
  LedgerEntry: object({
    id: text,
    type: text,
    assetSymbol: text,
    amount,
    source: object({ type: text, id: text }),
    orderId: textOrNull,
    createdAt: time,
  }),
} as const satisfies Record<string, z.ZodMiniType>

// The name of each component in the OpenAPI document.
for (const [id, schema] of Object.entries(COMPONENTS)) z.globalRegistry.add(schema, { id })

type ComponentName = keyof typeof COMPONENTS

/** The form of an answer: a component, or some of them. Actions give names, so serving requests builds no schema. */
export type AnswerForm =
  | ComponentName
  | { readonly arrayOf: ComponentName }
  | { readonly offsetPageOf: ComponentName }
  | { readonly cursorPageOf: ComponentName }

export function schemaOf(form: AnswerForm): z.ZodMiniType {
  if (typeof form === 'string') return COMPONENTS[form]
  if ('arrayOf' in form) return z.array(COMPONENTS[form.arrayOf])
  if ('offsetPageOf' in form)
    return object({ data: z.array(COMPONENTS[form.offsetPageOf]), pagination: PaginationMeta })
  return object({ data: z.array(COMPONENTS[form.cursorPageOf]), pagination: CursorMeta })
}
