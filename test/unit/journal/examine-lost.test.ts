// Tests the declarations that a person may make about an intent whose record the journal has lost.
import { beforeEach, expect, test } from 'vitest'
import { timing } from '../../../core/contract/timing.ts'
import { examineLost } from '../../../core/journal/examine-lost.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import type { KeyStatement } from '../../../core/journal/own-key.ts'
import { FILLED_ORDER } from '../../helpers/fake-conversion-service.ts'
import { ROW } from '../../helpers/fake-withdrawal-service.ts'

const lost: Intent = {
  ...{ intentId: 'intent-1', kind: 'convert', paramsHash: '', version: 1, attemptNumber: 1, state: 'ESCALATED' },
  ...{ createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:10:00Z', frozen: {} },
  params: { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' },
}
const payout: Intent = { ...lost, kind: 'withdraw', params: { assetSymbol: 'usdc', amount: '100.005' } }
/** After it was closed: 30 s of a token's life, 60 s of leeway, 15 s of listening and 60 s until it shows. */
const FENCE_MS = Date.parse('2026-01-01T00:12:45Z')
const OF_JOURNAL: KeyStatement = { isSameAccount: false, pinned: { account: 'account-1', stage: 'test' } }

let nowMs: number
let localMs: number
let shown: object
let key: { kid: string; account: string | undefined }
let claims: Record<string, string>
beforeEach(() => {
  nowMs = FENCE_MS + 1
  localMs = FENCE_MS + 1
  shown = {}
  key = { kid: 'svc_test_0123456789ab', account: 'account-1' }
  claims = {}
})

function examine(movementId: string | undefined, { word = OF_JOURNAL, intent = lost } = {}): Promise<void> {
  const clock = { measure: async () => undefined, ensure: async () => undefined }
  const service = {
    clock: { ...clock, nowMs: () => nowMs, reachedMs: () => nowMs, atMostMs: () => nowMs },
    ...{ keyInUse: async () => key.kid, accountOfKey: async () => key.account, forgetKeys: () => undefined },
    findOrder: async (id: string) => (id === 'order-1' ? { ...FILLED_ORDER, ...shown } : undefined),
    knownAsset: async (code: string) => {
      const assetSymbol = code.toUpperCase()
      return { assetSymbol, rebasedSymbol: assetSymbol === 'BTC' ? 'BTCX' : assetSymbol, amountIncrement: '0.01' }
    },
    findWithdrawal: async (id: string) => (id === 'row-1' ? { ...ROW, ...shown } : undefined),
  }
  const journal = { findClaim: async (_: string, id: string) => claims[id] }
  return examineLost({ journal, service, clock: { nowMs: () => localMs }, timing: timing.parse({}), word })(
    intent,
    movementId,
  )
}

test('an existing movement of its kind that no other intent has claimed is accepted', async () => {
  await expect(examine('order-1')).resolves.toBeUndefined()
  await expect(examine('order-2')).rejects.toThrow('the service has no order order-2')
  const sell = { ...lost, params: { ...(lost.params as object), side: 'SELL' } }
  await expect(examine('order-1', { intent: sell })).rejects.toThrow('is a BUY, but the request was to SELL')
  claims['order-1'] = 'intent-2'
  await expect(examine('order-1')).rejects.toThrow('already claimed by intent intent-2')
  await expect(examine('row-1', { intent: payout })).resolves.toBeUndefined()
  await expect(examine('order-1', { intent: payout })).rejects.toThrow('the service has no withdrawal order-1')
})

test.each([
  ['of another asset', { assetSymbol: 'BTC' }, 'is of BTC, but the request was for usdc'],
  ['of more', { amount: '100.01', total: '101' }, 'but the request was for 100.005'],
  ['of less', { amount: '50', total: '50' }, 'is of 50, 50 in all'],
  ['of exactly half', { amount: '50', total: '50.0025' }, 'is of 50, 50.0025 in all'],
])('a row that is %s than requested is refused, whoever declares it', async (_, change, why) => {
  shown = change
  await expect(examine('row-1', { intent: payout })).rejects.toThrow(why)
})

test('a row without an asset, or whose amount a fee or the service has reduced, is accepted', async () => {
  for (const change of [{ assetSymbol: null }, { amount: '98', fee: '2' }, { amount: '100', fee: '9', total: '109' }]) {
    shown = change
    await expect(examine('row-1', { intent: payout })).resolves.toBeUndefined()
  }
})

test('an order of another market is refused, and codes are compared as the service settles them', async () => {
  shown = { market: 'BTC-EUR' }
  await expect(examine('order-1')).rejects.toThrow('is in BTC-EUR, but the request was for BTC-USDC')
  shown = {}
  const small = { ...lost, params: { ...(lost.params as object), baseAsset: 'btc' } }
  await expect(examine('order-1', { intent: small })).resolves.toBeUndefined()
})

test.each(['BTCX-USDC', 'BTC-USDC', ' btc-usdc '])('an order that names its market %j is taken', async (market) => {
  shown = { market }
  await expect(examine('order-1')).resolves.toBeUndefined()
})

test('the declaration that nothing moved is accepted once the service can no longer accept a send from before the closing', async () => {
  await expect(examine(undefined)).resolves.toBeUndefined()
  nowMs = FENCE_MS
  await expect(examine(undefined)).rejects.toThrow('until 2026-01-01T00:12:45.000Z a request sent')
  nowMs = FENCE_MS + 1
  localMs = FENCE_MS
  await expect(examine(undefined)).rejects.toThrow('until 2026-01-01T00:12:45.000Z a request sent')
  localMs = FENCE_MS + 1
  const slower = { ...lost, frozen: { fenceSeconds: 600 } }
  await expect(examine(undefined, { intent: slower })).rejects.toThrow('until 2026-01-01T00:20:00.000Z')
})

test('the reading key has the journal’s account, or a person declares so if nobody else can', async () => {
  key.account = 'account-2'
  const declaration = { ...OF_JOURNAL, isSameAccount: true }
  for (const word of [OF_JOURNAL, declaration]) {
    await expect(examine('order-1', { word })).rejects.toThrow('not of account account-1 (test)')
  }
  key = { kid: 'svc_live_0123456789ab', account: undefined }
  await expect(examine('order-1', { word: declaration })).rejects.toThrow('not of account account-1 (test)')
  key = { kid: 'svc_test_0123456789ab', account: undefined }
  await expect(examine('order-1')).rejects.toThrow('sluice cases resolve INTENT --same-account')
  await expect(examine('order-1', { word: declaration })).resolves.toBeUndefined()
  key.account = 'account-1'
  await expect(examine('order-1', { word: { isSameAccount: false, pinned: undefined } })).rejects.toThrow(
    'sluice cases resolve INTENT --same-account',
  )
})
