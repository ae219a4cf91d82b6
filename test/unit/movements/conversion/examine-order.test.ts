// A person's word about an order is accepted only where the evidence allows it.
import { beforeEach, describe, expect, test } from 'vitest'
import { timing as timingSchema } from '../../../../core/contract/timing.ts'
import type { OpenConversion } from '../../../../core/journal/intent.ts'
import type { KeyStatement } from '../../../../core/journal/own-key.ts'
import { examineOrder } from '../../../../core/movements/conversion/examine-order.ts'
import type { OrderState } from '../../../../core/service/ports.ts'
import { FILLED_ORDER } from '../../../helpers/fake-conversion-service.ts'
import { attemptAt, CONVERSION } from '../../../helpers/intents.ts'

/** Nobody recorded what was heard: the sender listened until second 15, and an accepted order shows within 60 s. */
const FENCE_MS = Date.parse('2026-01-01T00:01:20Z')
const READY: OpenConversion = {
  ...{ intentId: 'intent-1', kind: 'convert', paramsHash: '', version: 1, attemptNumber: 1, state: 'READY' },
  ...{ createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z', ...CONVERSION },
}
const intent: OpenConversion = { ...READY, state: 'ARMED', attempt: attemptAt('order-1') }

let order: OrderState | undefined
let claims: Record<string, string>
let reachedMs: number
beforeEach(() => {
  order = FILLED_ORDER
  claims = {}
  reachedMs = FENCE_MS + 1
  key = { kid: 'svc_test_0123456789ab', account: undefined }
})

const anything = async () => undefined
let key: { kid: string; account: string | undefined }
const ownKey = { keyInUse: async () => key.kid, accountOfKey: async () => key.account, forgetKeys: () => undefined }
const examine = (movementId?: string, word?: KeyStatement, change: Partial<OpenConversion> = {}) => {
  const clock = {
    measure: anything,
    ensure: anything,
    nowMs: () => reachedMs,
    reachedMs: () => reachedMs,
    atMostMs: () => reachedMs,
  }
  const service = { clock, ...ownKey, findOrder: async () => order }
  const journal = { findClaim: async (_: string, id: string) => claims[id] }
  const ports = { journal, service, timing: timingSchema.parse({}), ...(word && { word }) }
  return examineOrder(ports)({ ...intent, ...change }, movementId)
}

test('an existing order is proof at any time', async () => {
  reachedMs = 0
  await expect(examine('order-1')).resolves.toBeUndefined()
})

test('only the sent order can be the intent’s', async () => {
  await expect(examine('order-2')).rejects.toThrow('only order order-1 can be')
})

test('a missing order, or another intent’s order, is refused', async () => {
  order = undefined
  await expect(examine('order-1')).rejects.toThrow('the service has no order order-1')
  order = FILLED_ORDER
  claims = { 'order-1': 'intent-2' }
  await expect(examine('order-1')).rejects.toThrow('already claimed by intent intent-2')
})

test('an order that differs from the request is still this intent’s, and its absence is not accepted', async () => {
  order = { ...FILLED_ORDER, side: 'SELL', market: 'BTC-USDT' }
  await expect(examine('order-1')).resolves.toBeUndefined()
  await expect(examine()).rejects.toThrow('order order-1 exists')
})

test('the decision that nothing moved is accepted past the fence, if the order is missing or another intent’s', async () => {
  await expect(examine()).rejects.toThrow('order order-1 exists, and no other intent has claimed it')
  claims = { 'order-1': 'intent-1' }
  await expect(examine()).rejects.toThrow('order order-1 exists')
  claims = { 'order-1': 'intent-2' }
  await expect(examine()).resolves.toBeUndefined()
  order = undefined
  await expect(examine()).resolves.toBeUndefined()
  reachedMs = FENCE_MS
  await expect(examine()).rejects.toThrow('until 2026-01-01T00:01:20.000Z a copy of the order may still be accepted')
})

describe('with another key than the one that signed, which cannot name its account', () => {
  const keyWord = (account?: string): KeyStatement => ({
    isSameAccount: true,
    pinned: account === undefined ? undefined : { account, stage: 'test' },
  })
  beforeEach(() => {
    key = { kid: 'svc_test_newkeynewkey', account: 'account-1' }
  })

  test('neither a yes nor a no is accepted, and the refusal names the flag', async () => {
    await expect(examine('order-1')).rejects.toThrow('sluice cases resolve INTENT --same-account')
    order = undefined
    await expect(examine()).rejects.toThrow('sluice cases resolve INTENT --same-account')
    await expect(examine(undefined, { ...keyWord(), isSameAccount: false })).rejects.toThrow('--same-account')
  })

  test('a person’s declaration that both have one account lets the evidence decide', async () => {
    await expect(examine('order-1', keyWord())).resolves.toBeUndefined()
    await expect(examine('order-1', keyWord('account-1'))).resolves.toBeUndefined()
    await expect(examine(undefined, keyWord())).rejects.toThrow('order order-1 exists')
    key.account = undefined
    await expect(examine('order-1', keyWord('account-1'))).resolves.toBeUndefined()
    order = undefined
    await expect(examine(undefined, keyWord())).resolves.toBeUndefined()
    reachedMs = FENCE_MS
    await expect(examine(undefined, keyWord())).rejects.toThrow('a copy of the order may still be accepted')
  })

  test('an order of that id that differs from the request is refused, because it may be another account’s', async () => {
    order = { ...FILLED_ORDER, baseAmount: '0.10', quoteAmount: '5000.00' }
    await expect(examine('order-1', keyWord())).resolves.toBeUndefined()
    order = { ...FILLED_ORDER, quoteAmount: '5001' }
    await expect(examine('order-1', keyWord())).rejects.toThrow('its quote amount is 5001, not 5000')
    order = { ...FILLED_ORDER, side: 'SELL' }
    await expect(examine('order-1', keyWord())).rejects.toThrow('its side is SELL, not BUY')
  })

  test('the declaration does not count for a key that is known to have another account, or another environment', async () => {
    await expect(examine('order-1', keyWord('account-2'))).rejects.toThrow(
      'of account account-1 (test), not of account',
    )
    const frozen = { ...intent.frozen, account: 'account-2' }
    await expect(examine('order-1', keyWord(), { frozen })).rejects.toThrow('not of account account-2 (test)')
    key = { kid: 'svc_live_newkeynewkey', account: undefined }
    const live = examine('order-1', keyWord())
    await expect(live).rejects.toThrow('of an account (live), not of an account (test)')
    await expect(live).rejects.not.toThrow('--same-account')
  })
})
