// What a person may say of an intent whose record the journal has lost.
import { beforeEach, expect, test } from 'vitest'
import { timing } from '../../../functions/contract/timing.ts'
import { examineLost } from '../../../functions/shared/journal/examine-lost.ts'
import type { Intent } from '../../../functions/shared/journal/intent.ts'
import type { KeyWord } from '../../../functions/shared/journal/own-key.ts'
import { FILLED_ORDER } from '../../helpers/fake-conversion-service.ts'
import { ROW } from '../../helpers/fake-withdrawal-service.ts'

const lost: Intent = {
  ...{ intentId: 'intent-1', kind: 'convert', paramsHash: '', version: 1, attemptNumber: 1, state: 'ESCALATED' },
  ...{ createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:00:00Z', frozen: {} },
  params: { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' },
}
/** 15 min of its life, 30 s of a token's, 60 s of leeway and 60 s until it shows. */
const FENCE_MS = Date.parse('2026-01-01T00:17:30Z')
const OF_JOURNAL: KeyWord = { isSameAccount: false, pinned: { account: 'account-1', stage: 'test' } }

let nowMs: number
let key: { kid: string; account: string | undefined }
let claims: Record<string, string>
beforeEach(() => {
  nowMs = FENCE_MS + 1
  key = { kid: 'svc_test_0123456789ab', account: 'account-1' }
  claims = {}
})

function examine(movementId: string | undefined, { word = OF_JOURNAL, intent = lost } = {}): Promise<void> {
  const clock = { measure: async () => undefined, ensure: async () => undefined }
  const service = {
    clock: { ...clock, nowMs: () => nowMs, reachedMs: () => nowMs, atMostMs: () => nowMs },
    ...{ keyInUse: async () => key.kid, accountOfKey: async () => key.account, forgetKeys: () => undefined },
    findOrder: async (id: string) => (id === 'order-1' ? FILLED_ORDER : undefined),
    findWithdrawal: async (id: string) => (id === 'row-1' ? ROW : undefined),
  }
  const journal = { findClaim: async (_: string, id: string) => claims[id] }
  return examineLost({ journal, service, timing: timing.parse({}), word })(intent, movementId)
}

test('a movement of its kind that exists and no other intent has claimed is taken', async () => {
  await expect(examine('order-1')).resolves.toBeUndefined()
  await expect(examine('order-2')).rejects.toThrow('the service has no order order-2')
  const sell = { ...lost, params: { ...(lost.params as object), side: 'SELL' } }
  await expect(examine('order-1', { intent: sell })).rejects.toThrow('is to BUY, and asked for was to SELL')
  claims['order-1'] = 'intent-2'
  await expect(examine('order-1')).rejects.toThrow('already claimed by intent intent-2')
  const withdrawal = { ...lost, kind: 'withdraw' as const }
  await expect(examine('row-1', { intent: withdrawal })).resolves.toBeUndefined()
  await expect(examine('order-1', { intent: withdrawal })).rejects.toThrow('the service has no withdrawal order-1')
})

test('that nothing moved is taken once nothing that was sent within its time can be accepted any more', async () => {
  await expect(examine(undefined)).resolves.toBeUndefined()
  nowMs = FENCE_MS
  await expect(examine(undefined)).rejects.toThrow('until 2026-01-01T00:17:30.000Z what was sent')
  const later = { ...lost, params: { notAfter: '2026-01-02T00:00:00Z' } }
  nowMs = FENCE_MS + 1
  await expect(examine(undefined, { intent: later })).rejects.toThrow('until 2026-01-02T00:02:30.000Z')
})

test('the key that looks is one of the journal’s account, or a person says so where nobody else can', async () => {
  key.account = 'account-2'
  const said = { ...OF_JOURNAL, isSameAccount: true }
  for (const word of [OF_JOURNAL, said]) {
    await expect(examine('order-1', { word })).rejects.toThrow('not of account account-1 (test)')
  }
  key = { kid: 'svc_live_0123456789ab', account: undefined }
  await expect(examine('order-1', { word: said })).rejects.toThrow('not of account account-1 (test)')
  key = { kid: 'svc_test_0123456789ab', account: undefined }
  await expect(examine('order-1')).rejects.toThrow('sluice resolve --same-account')
  await expect(examine('order-1', { word: said })).resolves.toBeUndefined()
  key.account = 'account-1'
  await expect(examine('order-1', { word: { isSameAccount: false, pinned: undefined } })).rejects.toThrow(
    'sluice resolve --same-account',
  )
})
