// Makes intents and moves for tests, with every field that the real ones have.

import { armMove, type Intent, type Move } from '../../core/journal/intent.ts'
import type { OrderTried } from '../../core/movements/conversion/convert-intent.ts'

/** An ARM move with plausible facts. */
export function armed(intent: Intent, orderId: string): Move {
  return armMove<OrderTried>(intent as Intent<unknown, unknown, OrderTried>, {
    owner: 'owner-1',
    nonce: 'nonce-1',
    kid: 'svc_test_0123456789ab',
    iat: 1_767_225_600,
    exp: 1_767_225_630,
    bodySha256: 'ab'.repeat(32),
    orderId,
    quoteExpiresAt: '2026-01-01T00:00:05.000Z',
    terms: { market: 'BTC-USDC', rate: '50000', baseAmount: '0.1', quoteAmount: '5000' },
  })
}
