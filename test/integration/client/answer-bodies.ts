// Bodies of answers by the service's description, and a client that receives one of them.
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { setUpClient } from '../../helpers/client-setup.ts'
import { answerJson } from '../../helpers/local-server.ts'

type Json = Record<string, unknown>

// An equity with a multiplier of 2, which reveals a reader of top-level figures instead of the settled ones.
export const QUOTE = {
  orderId: 'q-1',
  clientOrderId: 'q-1',
  market: 'AAPLSPV-USD',
  rate: '50',
  baseAmount: '4',
  quoteAmount: '200',
  quotedAt: '2026-01-31T09:00:00.000Z',
  expiresAt: '2026-01-31T09:00:05.000Z',
  multiplier: '2',
  assetFormat: 'base',
  base: { rate: '100.00', baseAmount: '2.0', quoteAmount: '200' },
}

export const ORDER = {
  id: 'o-1',
  status: 'PARTIALLY_FILLED',
  side: 'BUY',
  market: 'AAPLSPV-USD',
  baseAsset: 'AAPLX',
  quoteAsset: 'USD',
  baseAmount: '4',
  filledBaseAmount: '2',
  quoteAmount: '200',
  filledQuoteAmount: '100',
  rate: '50',
  multiplier: '2',
  assetFormat: 'base',
  onCredit: false,
  createdAt: '2026-01-31T09:00:00.000Z',
  base: {
    baseAsset: 'AAPLSPV',
    quoteAsset: 'USD',
    baseAmount: '2',
    filledBaseAmount: '1',
    quoteAmount: '200',
    filledQuoteAmount: '100',
    rate: '100',
  },
}

export const FILL = {
  id: 'f-1',
  orderId: 'o-1',
  sequence: 1,
  side: 'BUY',
  market: 'AAPLSPV-USD',
  baseAsset: 'AAPLX',
  quoteAsset: 'USD',
  baseAmount: '2',
  quoteAmount: '100',
  rate: '50',
  multiplier: '2',
  assetFormat: 'base',
  onCredit: false,
  executedAt: '2026-01-31T09:00:01.000Z',
  order: { status: 'PARTIALLY_FILLED', filledBaseAmount: '2', filledQuoteAmount: '100' },
  base: {
    baseAsset: 'AAPLSPV',
    quoteAsset: 'USD',
    baseAmount: '1',
    quoteAmount: '100',
    rate: '100',
    order: { filledBaseAmount: '1', filledQuoteAmount: '100' },
  },
}

export const BALANCE = {
  assetSymbol: 'AAPLSPV',
  balance: '4',
  balanceFrozen: '2',
  balancePending: '0',
  balancePrefCurrency: '-200.5',
  balanceUSD: '-200.5',
  multiplier: '2.123456789012345678901234',
  assetFormat: 'base',
  base: { asset: 'AAPLSPV', balance: '-2', balanceFrozen: '1', balancePending: '0' },
}

export const ASSET = {
  assetSymbol: 'USDC',
  rebasedSymbol: 'USDC',
  assetName: 'USD Coin',
  assetClass: 'STABLECOIN',
  amountIncrement: '0.000001',
  displayIncrement: '0.01',
  minimumDeposit: '1',
  minimumWithdrawal: '1',
  minimumInternalWithdrawal: '0.1',
  withdrawalFee: '0.5',
  maxIndicativeQuoteAmount: '1000000',
  rebaseMultiplier: '1',
  networks: [
    {
      networkName: 'Ethereum',
      networkId: 'ETH',
      evmChainId: 1,
      networkNativeAsset: 'ETH',
      assetType: 'ERC20',
      withdrawalFee: '2',
      minimumWithdrawal: '5',
    },
  ],
}

export const MARKET = {
  id: 'BTC-USD',
  baseAsset: 'BTC',
  rebasedBaseAsset: 'BTC',
  quoteAsset: 'USD',
  minBaseAmount: '0.001',
  minQuoteAmount: '1',
}

export const REQUEST = {
  baseAsset: 'AAPLX',
  quoteAsset: 'USD',
  side: 'BUY',
  amountAsset: 'USD',
  amount: '200',
} as const

export const offsetPage = (data: readonly unknown[]) => ({
  data,
  pagination: { page: 1, limit: 100, totalItems: data.length, totalPages: 1 },
})

export const cursorPage = (data: readonly unknown[]) => ({ data, pagination: { count: data.length, nextCursor: null } })

/** Returns `json` with the field at `path` ("base.rate", "data.0.id") set to `value`, or removed. */
export function withField(json: unknown, path: string, value?: unknown): unknown {
  const copy = structuredClone(json)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const parent = steps.reduce((at, step) => at[step] as Json, copy as Json)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

export async function asking<Result>(json: unknown, ask: (client: ServiceClient) => Promise<Result>) {
  const { server, client } = await setUpClient((request, response) =>
    answerJson(response, request.method === 'POST' ? 201 : 200, json),
  )
  const outcome = await ask(client).then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  )
  return { ...outcome, sent: server.arrived[0] }
}
