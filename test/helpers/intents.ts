// Makes intents and moves for tests, with every field that the real ones have.
import type { ConvertRequest } from '../../core/contract/convert.ts'
import { type Intent, isConversion, type OpenConversion, type OpenWithdrawal } from '../../core/journal/intent.ts'
import { armMove, type Move } from '../../core/journal/moves.ts'

/** The request of a conversion, and its settled terms. */
export const CONVERSION = {
  kind: 'convert',
  params: { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' },
  frozen: {
    ...{ baseAsset: { assetSymbol: 'BTC' }, quoteAsset: { assetSymbol: 'USDC' } },
    ...{ amount: '0.1', increment: '0.00000001' },
  },
} as const satisfies Pick<OpenConversion, 'kind' | 'params' | 'frozen'>

type Asked = Pick<ConvertRequest, 'baseAsset' | 'quoteAsset' | 'amount' | 'maxSlippageBps' | 'policy'>
type Terms = NonNullable<OpenConversion['attempt']>['terms']

/** The settled terms of a conversion whose request uses settled codes. */
export function frozenOf(asked: Asked): OpenConversion['frozen'] {
  const { baseAsset, quoteAsset, amount, maxSlippageBps } = asked
  const legs = { baseAsset: { assetSymbol: baseAsset }, quoteAsset: { assetSymbol: quoteAsset } }
  const bound = maxSlippageBps === undefined ? {} : { maxSlippageBps, referenceRate: '1' }
  return { ...legs, amount, increment: '0.00000001', ...bound, ...guardsOf(asked) }
}

/** Empty guards of the named policy. */
export function guardsOf({ policy: name }: { readonly policy?: string | undefined }) {
  return name === undefined ? {} : { guards: { policy: { name, guards: {} } } }
}

/** The request of a withdrawal, and its settled terms. */
export const WITHDRAWAL = {
  kind: 'withdraw',
  params: { assetSymbol: 'USDC', amount: '100', contactId: 'c-1' },
  frozen: {
    ...{ account: 'account-1', stage: 'test', assetSymbol: 'USDC', amount: '100', feeMode: 'deduct', contactId: 'c-1' },
    ...{ increment: '0.01', subTypes: ['INTERNAL'], networkId: null, fee: '0', total: '100' },
    payee: {
      ...{ contactId: 'c-1', alias: 'Treasury', reference: null, type: 'INTERNAL', assetSymbol: null, networkId: null },
      ...{ bank: null, updatedAt: '2025-01-01T00:00:00.000Z' },
    },
  },
} as const satisfies Pick<OpenWithdrawal, 'kind' | 'params' | 'frozen'>

const TERMS: Terms = { market: 'BTC-USDC', rate: '50000', baseAmount: '0.1', quoteAmount: '5000' }

/** An ARM move with plausible facts. */
export function armed(intent: Intent, orderId: string, terms?: Terms): Move {
  const attempt = attemptAt(orderId, terms)
  return armMove(
    intent,
    isConversion(intent) ? attempt : { ...attempt, fee: '0', since: '2025-12-31T00:00:00.000Z', known: [] },
  )
}

export function attemptAt(orderId: string, terms: Terms = TERMS): NonNullable<OpenConversion['attempt']> {
  return {
    owner: 'owner-1',
    fenceTiming: { leewaySeconds: 0, visibilitySeconds: 0 },
    nonce: 'nonce-1',
    kid: 'svc_test_0123456789ab',
    iat: 1_767_225_600,
    exp: 1_767_225_630,
    bodySha256: 'ab'.repeat(32),
    orderId,
    quoteExpiresAt: '2026-01-01T00:00:05.000Z',
    terms,
  }
}
