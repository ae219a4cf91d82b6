// Answers about movements, contacts and keys, field by field by the description. An equity with a multiplier of 2
// reveals a reader of top-level figures instead of the settled ones.
import { FILL as FIRST_FILL, ORDER as PARTLY_FILLED } from './answer-bodies.ts'

export const WITHDRAWAL = {
  id: 'w-1',
  type: 'WITHDRAWAL',
  subType: 'EXTERNAL_CRYPTO',
  assetSymbol: 'AAPLX',
  amount: '4',
  fee: '0.2',
  total: '4.2',
  status: 'PENDING',
  createdAt: '2026-01-31T09:00:00.000Z',
  transactionHash: null,
  bankReference: null,
  assetFormat: 'rebased',
  multiplier: '2',
  base: { asset: 'AAPLSPV', amount: '2', fee: '0.1', total: '2.1' },
  withdrawalData: {
    networkId: 'SOLANA',
    networkName: 'Solana',
    networkNativeAsset: 'SOL',
    evmChainId: null,
    assetType: 'SOL_ASSET',
  },
}
export const ORDER = {
  ...PARTLY_FILLED,
  ...{ status: 'FILLED', filledBaseAmount: '4', filledQuoteAmount: '200', assetFormat: 'rebased' },
  base: { ...PARTLY_FILLED.base, filledBaseAmount: '2', filledQuoteAmount: '200' },
}
export const FILL = {
  ...FIRST_FILL,
  ...{ baseAmount: '4', quoteAmount: '200', assetFormat: 'rebased' },
  order: { status: 'FILLED', filledBaseAmount: '4', filledQuoteAmount: '200' },
  base: {
    ...FIRST_FILL.base,
    ...{ baseAmount: '2', quoteAmount: '200', order: { filledBaseAmount: '2', filledQuoteAmount: '200' } },
  },
}
export const BALANCE = {
  assetSymbol: 'AAPLX',
  balance: '4',
  balanceFrozen: '2',
  balancePending: '0',
  balancePrefCurrency: '200.5',
  balanceUSD: '200.5',
  balanceCapacityTotal: '10',
  balanceCapacityAvailable: '8',
  balanceCapacitySpent: '2',
  multiplier: '2',
  assetFormat: 'rebased',
  base: { asset: 'AAPLSPV', balance: '2', balanceFrozen: '1', balancePending: '0' },
}
export const DEPOSIT = {
  id: 'd-1',
  assetSymbol: 'AAPLX',
  amount: '4',
  status: 'COMPLETED',
  createdAt: '2026-01-31T09:00:00.000Z',
  assetFormat: 'rebased',
  multiplier: '2',
  base: { asset: 'AAPLSPV', amount: '2' },
}
export const ENTRY = {
  id: 'e-1',
  type: 'CONVERSION_CREDIT',
  assetSymbol: 'AAPLSPV',
  amount: '2',
  source: { type: 'FILL', id: 'f-1' },
  orderId: 'o-1',
  createdAt: '2026-01-31T09:00:00.000Z',
}
export const CONTACT = {
  id: 'c-1',
  reference: 'cold',
  type: 'EXTERNAL_CRYPTO',
  alias: 'Cold storage',
  createdAt: '2026-01-31T09:00:00.000Z',
  updatedAt: '2026-01-31T09:00:00.000Z',
  crypto: {
    assetSymbol: 'USDC',
    assetName: 'USD Coin',
    networkSymbol: 'ETHEREUM MAINNET',
    networkName: 'Ethereum',
    networkId: 'ETH',
  },
}
export const BANK_CONTACT = {
  ...CONTACT,
  type: 'BANK_ACCOUNT',
  crypto: undefined,
  bank: {
    assetSymbol: 'EUR',
    nationalId: null,
    bankId: 'HOUSE',
    bankName: 'House Bank',
    accountTypeId: 'CHECKING',
    bankAccountType: 'Current account',
    bankAccountNumber: '12',
    accountEmail: null,
  },
}
const offset = { page: 1, limit: 100, totalItems: 1, totalPages: 1 }
export const offsetPage = (item: unknown) => ({ data: [item], pagination: offset })
export const cursorPage = (item: unknown) => ({ data: [item], pagination: { count: 1, nextCursor: null } })
export const HISTORY = {
  assetSymbol: 'AAPLSPV',
  granularity: 'day',
  startDate: null,
  endDate: null,
  data: [{ date: '2026-01-31', balance: '-2' }],
  pagination: offset,
}
export const JWKS = { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'k-1', x: 'AA', use: 'sig' }] }
