import { beforeEach, expect, test } from 'vitest'
import { timing as timingSchema } from '../../../functions/contract/timing.ts'
import type { ConvertIntent } from '../../../functions/shared/conversion/convert-intent.ts'
import { examineOrder } from '../../../functions/shared/conversion/examine-order.ts'
import type { OrderState } from '../../../functions/shared/service/ports.ts'
import { FILLED_ORDER } from '../../helpers/fake-conversion-service.ts'
import { armed } from '../../helpers/intents.ts'

/** Nobody wrote down what was heard: listened for until second 15, and an accepted order shows within 60 s. */
const FENCE_MS = Date.parse('2026-01-01T00:01:15Z')
const READY: ConvertIntent = {
  ...{ intentId: 'intent-1', kind: 'convert', paramsHash: '', version: 1, attemptNumber: 1, state: 'READY' },
  ...{ createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z', frozen: { amount: '0.1' } },
  params: { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' },
}
const intent = { ...READY, ...armed(READY, 'order-1') } as ConvertIntent

let order: OrderState | undefined
let claims: Record<string, string>
let reachedMs: number
beforeEach(() => {
  order = FILLED_ORDER
  claims = {}
  reachedMs = FENCE_MS + 1
})

const anything = async () => undefined
const OWN_KEY = { keyInUse: async () => 'svc_test_0123456789ab', accountOfKey: anything, forgetKeys: () => undefined }
const examine = (movementId?: string) => {
  const clock = { measure: anything, ensure: anything, nowMs: () => reachedMs, reachedMs: () => reachedMs }
  const service = { clock, ...OWN_KEY, findOrder: async () => order }
  const journal = { findClaim: async (_: string, id: string) => claims[id] }
  return examineOrder({ journal, service, timing: timingSchema.parse({}) })(intent, movementId)
}

test('an order that exists is proof at any time', async () => {
  reachedMs = 0
  await expect(examine('order-1')).resolves.toBeUndefined()
})

test('no other order than the one that was sent can be the intent’s', async () => {
  await expect(examine('order-2')).rejects.toThrow('only order order-1 can be')
})

test('an order that does not exist, differs, or is another intent’s is not taken', async () => {
  order = { ...FILLED_ORDER, side: 'SELL' }
  await expect(examine('order-1')).rejects.toThrow('is to SELL in BTC-USDC')
  order = undefined
  await expect(examine('order-1')).rejects.toThrow('the service has no order order-1')
  order = FILLED_ORDER
  claims = { 'order-1': 'intent-2' }
  await expect(examine('order-1')).rejects.toThrow('already claimed by intent intent-2')
})

test('that nothing moved is taken past the fence, where there is no order or it is another intent’s', async () => {
  await expect(examine()).rejects.toThrow('order order-1 exists, and no other intent has claimed it')
  claims = { 'order-1': 'intent-1' }
  await expect(examine()).rejects.toThrow('order order-1 exists')
  claims = { 'order-1': 'intent-2' }
  await expect(examine()).resolves.toBeUndefined()
  order = undefined
  await expect(examine()).resolves.toBeUndefined()
  reachedMs = FENCE_MS
  await expect(examine()).rejects.toThrow('until 2026-01-01T00:01:15.000Z a copy of the order may still be accepted')
})
