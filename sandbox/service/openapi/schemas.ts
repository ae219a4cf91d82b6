// JSON Schemas of what the API answers: the named components of the OpenAPI document. Tests hold
// every answer of the running sandbox against them, so they cannot drift from what is served.
import { AMOUNT_PATTERN, type JsonSchema } from '../fields.ts'
import { PROBLEM_KINDS } from '../problem.ts'

const text = { type: 'string' } as const
const amount = { type: 'string', pattern: AMOUNT_PATTERN } as const
const time = { type: 'string', format: 'date-time' } as const
const flag = { type: 'boolean' } as const
const assetFormat = oneOf('base', 'rebased')
const side = oneOf('BUY', 'SELL')

function oneOf(...values: readonly string[]): JsonSchema {
  return { type: 'string', enum: values }
}

function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: 'null' }] }
}

/** Every property is required but for the optional ones; there are no others. */
function object(properties: Record<string, JsonSchema>, optional: Record<string, JsonSchema> = {}): JsonSchema {
  return {
    type: 'object',
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

function listOf(items: JsonSchema): JsonSchema {
  return { type: 'array', items }
}

export function ref(component: keyof typeof COMPONENTS): JsonSchema {
  return { $ref: `#/components/schemas/${component}` }
}

export function offsetPageOf(component: keyof typeof COMPONENTS): JsonSchema {
  return object({ data: listOf(ref(component)), pagination: ref('PaginationMeta') })
}

export function cursorPageOf(component: keyof typeof COMPONENTS): JsonSchema {
  return object({ data: listOf(ref(component)), pagination: ref('CursorMeta') })
}

export function arrayOf(component: keyof typeof COMPONENTS): JsonSchema {
  return listOf(ref(component))
}

const rates = { rate: amount, baseAmount: amount, quoteAmount: amount }
const legs = { baseAsset: text, quoteAsset: text }
const orderFigures = { ...legs, ...rates, filledBaseAmount: amount, filledQuoteAmount: amount }
const orderStatus = oneOf('NEW', 'PARTIALLY_FILLED', 'FILLED', 'FAILED')
const balanceFigures = { balance: amount, balanceFrozen: amount, balancePending: amount }
const withdrawalFigures = { amount, fee: amount, total: amount }
const chain = {
  networkId: orNull(text),
  networkNativeAsset: orNull(text),
  evmChainId: orNull({ type: 'integer' }),
  assetType: orNull(text),
}

export const COMPONENTS = {
  Problem: object(
    {
      type: { type: 'string', format: 'uri' },
      title: text,
      status: { type: 'integer' },
      code: oneOf(...Object.keys(PROBLEM_KINDS)),
      retryable: flag,
    },
    {
      detail: text,
      instance: text,
      traceId: text,
      reason: text,
      extensions: { type: 'object', additionalProperties: text },
    },
  ),
  PaginationMeta: object({
    page: { type: 'integer' },
    limit: { type: 'integer' },
    totalItems: { type: 'integer' },
    totalPages: { type: 'integer' },
  }),
  CursorMeta: object({ count: { type: 'integer' }, nextCursor: orNull(text) }),
  Health: object({ status: oneOf('OK', 'MAINTENANCE'), time }),
  Time: object({ time, epochMs: { type: 'integer' } }),
  WebhookKeySet: object({
    keys: listOf(object({ kty: text, crv: text, x: text, kid: text, alg: text, use: text })),
  }),
  Account: object({
    id: text,
    username: text,
    email: text,
    fullName: text,
    nationalId: orNull(text),
    verificationStatus: text,
    preferredCurrency: text,
  }),
  Asset: object({
    assetSymbol: text,
    rebasedSymbol: text,
    assetName: text,
    assetClass: oneOf('FIAT', 'STABLECOIN', 'STOCK', 'CRYPTO'),
    amountIncrement: amount,
    displayIncrement: amount,
    minimumDeposit: amount,
    minimumWithdrawal: amount,
    minimumInternalWithdrawal: amount,
    withdrawalFee: amount,
    maxIndicativeQuoteAmount: amount,
    rebaseMultiplier: amount,
    networks: listOf(object({ networkName: text, ...chain, withdrawalFee: amount, minimumWithdrawal: amount })),
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
    quotedAt: orNull(time),
    expiresAt: orNull(time),
    multiplier: amount,
    assetFormat,
    base: object(rates),
  }),
  PlacedOrder: object({ id: text, status: oneOf('FILLED', 'PROCESSING') }, { transactionId: text }),
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
    sequence: { type: 'integer', minimum: 1 },
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
  Balance: object(
    {
      assetSymbol: text,
      ...balanceFigures,
      balancePrefCurrency: amount,
      balanceUSD: amount,
      multiplier: amount,
      assetFormat,
      base: object({ asset: text, ...balanceFigures }),
    },
    { balanceCapacityTotal: amount, balanceCapacityAvailable: amount, balanceCapacitySpent: amount },
  ),
  BalanceHistory: object({
    assetSymbol: text,
    granularity: oneOf('day', 'week', 'month'),
    startDate: orNull(time),
    endDate: orNull(time),
    data: listOf(object({ date: { type: 'string', format: 'date' }, balance: amount })),
    pagination: { $ref: '#/components/schemas/PaginationMeta' },
  }),
  Withdrawal: object({
    id: text,
    type: oneOf('WITHDRAWAL'),
    subType: oneOf('INTERNAL', 'EXTERNAL_CRYPTO', 'EXTERNAL_FIAT_BANK', 'EXTERNAL_FIAT_REDPAY'),
    assetSymbol: text,
    ...withdrawalFigures,
    status: oneOf('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED'),
    createdAt: time,
    transactionHash: orNull(text),
    bankReference: orNull({ type: 'string', minLength: 3, maxLength: 19 }),
    assetFormat,
    multiplier: amount,
    base: object({ asset: orNull(text), ...withdrawalFigures }),
    withdrawalData: object({}, { networkName: orNull(text), ...chain }),
  }),
  Contact: object(
    {
      id: text,
      reference: orNull(text),
      type: oneOf('INTERNAL', 'EXTERNAL_CRYPTO', 'BANK_ACCOUNT'),
      alias: text,
      createdAt: time,
      updatedAt: time,
    },
    {
      crypto: object({
        assetSymbol: text,
        assetName: text,
        networkSymbol: orNull(text),
        networkName: orNull(text),
        networkId: orNull(text),
        address: text,
      }),
      bank: object({
        assetSymbol: orNull(text),
        nationalId: orNull(text),
        bankId: orNull(text),
        bankName: orNull(text),
        accountTypeId: orNull(text),
        bankAccountType: orNull(text),
        bankAccountNumber: orNull(text),
        accountEmail: orNull(text),
      }),
    },
  ),
  Deposit: object({
    id: text,
    type: oneOf('DEPOSIT'),
    assetSymbol: text,
    amount,
    status: oneOf('COMPLETED'),
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
    orderId: orNull(text),
    createdAt: time,
  }),
} as const satisfies Record<string, JsonSchema>
