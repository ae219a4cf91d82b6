// A movement that an intent of ours may have made is not declared foreign.
import { expect, test } from 'vitest'
import { FOREIGN, IntentKind, IntentState, listing, recordKey } from '../../../../core/contract/records.ts'
import { Refused } from '../../../../core/errors.ts'
import type { Intent } from '../../../../core/journal/intent.ts'
import { createJournal } from '../../../../core/journal/journal.ts'
import { declareForeign, findWaitingFor } from '../../../../core/movements/withdrawal/foreign.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'

const row = {
  ...{ id: 'row-1', subType: 'EXTERNAL_CRYPTO', assetSymbol: 'USDC', networkId: 'eth', status: 'COMPLETED' },
  ...{ amount: '99', fee: '1', total: '100', createdAt: '2026-02-01T12:00:05Z' },
  ...{ transactionHash: null, bankReference: null },
}
const withdrawal = (state: IntentState, more: object = {}) =>
  ({
    ...{ intentId: `w-${state}`, kind: IntentKind.Withdraw, state },
    attempt: { since: '2026-02-01T12:00:00Z', known: [] },
    frozen: {
      assetSymbol: 'USDC',
      amount: '100',
      feeMode: 'deduct',
      networkId: 'eth',
      fee: '1',
      total: '100',
      ...more,
    },
  }) as unknown as Intent
const subTypes = { subTypes: ['EXTERNAL_CRYPTO'] }
const order = (state: IntentState, orderId: string) =>
  ({ intentId: `o-${state}`, kind: IntentKind.Convert, state, attempt: { orderId } }) as unknown as Intent

const word = { by: 'ada', because: 'paid by hand', at: '2026-02-01T13:00:00Z' }

test('intents that wait for a person and may have made the movement are named', () => {
  const waits = withdrawal(IntentState.Escalated, subTypes)
  const others = [
    withdrawal(IntentState.Rejected, subTypes),
    withdrawal(IntentState.Escalated, { ...subTypes, amount: '7', total: '7' }),
    order(IntentState.Escalated, 'order-1'),
  ]
  expect(findWaitingFor(shown, [waits, ...others], [waits.intentId])).toEqual([waits])
  expect(findWaitingFor({ kind: 'convert', id: 'order-1' }, [waits, ...others], ['o-ESCALATED'])).toEqual([others[2]])
})

test('an intent with equal figures is named even if the row has another asset, because the service may spell it differently', () => {
  const waits = withdrawal(IntentState.Escalated, { ...subTypes, assetSymbol: 'EUR' })
  expect(findWaitingFor(shown, [waits], [waits.intentId])).toEqual([waits])
})

const shown = { kind: 'withdraw', id: row.id, row } as const

test('a movement that an unsettled intent may have made is not declared foreign, because a machine would send again', () => {
  const armed = withdrawal(IntentState.Armed, subTypes)
  expect(() => findWaitingFor(shown, [armed], [armed.intentId])).toThrow(Refused)
  expect(() => findWaitingFor({ kind: 'convert', id: 'order-1' }, [order(IntentState.Armed, 'order-1')], [])).toThrow(
    'enter it again first',
  )
})

test('a movement for which an intent waits for a person is not declared foreign unless that intent is named', () => {
  const waits = withdrawal(IntentState.Escalated, subTypes)
  const other = { ...waits, intentId: 'w-other' }
  expect(() => findWaitingFor(shown, [waits], [])).toThrow(`--not-of ${waits.intentId}`)
  expect(() => findWaitingFor(shown, [waits, other], [waits.intentId])).toThrow('--not-of w-other')
  expect(findWaitingFor(shown, [waits, other], [waits.intentId, 'w-other'])).toHaveLength(2)
})

test('a row in an intent’s evidence is not declared foreign unless that intent is named, however different it is', () => {
  const unlike = withdrawal(IntentState.Escalated, { ...subTypes, amount: '7', total: '7' })
  expect(findWaitingFor(shown, [unlike], [])).toEqual([])
  const named = { ...unlike, evidence: [{ id: 'row-0' }, { id: row.id }] }
  expect(() => findWaitingFor(shown, [named], [])).toThrow(`--not-of ${named.intentId}`)
  expect(findWaitingFor({ ...shown, id: 'row-9' }, [named], [])).toEqual([])
})

const lost = (kind: Intent['kind'], params: object, frozen: object = {}) =>
  ({
    ...{ intentId: 'lost', kind, params, frozen, state: IntentState.Escalated },
    createdAt: '2026-02-03T00:00:00Z',
  }) as unknown as Intent
const buy = { kind: 'convert', id: 'order-9', order: { side: 'BUY', createdAt: '2026-02-03T00:00:01Z' } } as const

test('a lost intent may have made any movement of its asset or side, because it can have sent', () => {
  const usdc = lost('withdraw', { assetSymbol: 'usdc', amount: '7' })
  expect(() => findWaitingFor(shown, [usdc], [])).toThrow('--not-of lost')
  expect(findWaitingFor(shown, [usdc], ['lost'])).toEqual([usdc])
  expect(() => findWaitingFor({ ...shown, row: { ...row, assetSymbol: null } }, [usdc], [])).toThrow('--not-of lost')
  expect(findWaitingFor(shown, [lost('withdraw', { assetSymbol: 'EUR' })], [])).toEqual([])
  expect(() => findWaitingFor(buy, [lost('convert', { side: 'BUY' })], [])).toThrow('--not-of lost')
  expect(() => findWaitingFor(buy, [lost('convert', {})], [])).toThrow('--not-of lost')
  expect(findWaitingFor(buy, [lost('convert', { side: 'SELL' }), usdc], [])).toEqual([])
})

test('a lost intent did not make a movement from long before it, unless it was entered before', () => {
  const since = (createdAt: string) => ({ ...shown, row: { ...row, createdAt } })
  const usdc = lost('withdraw', { assetSymbol: 'USDC' })
  expect(() => findWaitingFor(since('2026-02-01T00:00:00Z'), [usdc], [])).toThrow('--not-of lost')
  expect(() => findWaitingFor(since('no time'), [usdc], [])).toThrow('--not-of lost')
  expect(findWaitingFor(since('2026-01-31T23:59:59Z'), [usdc], [])).toEqual([])
  const again = lost('withdraw', { assetSymbol: 'USDC' }, { isEnteredAgain: true })
  expect(() => findWaitingFor(since('2026-01-01T00:00:00Z'), [again], [])).toThrow('--not-of lost')
})

test('the declaration is kept with who, why and when, and the first one stays', async () => {
  let stamps = 0
  const store = createMemoryStore()
  const journal = createJournal(store, () => `stamp-${++stamps}`)
  await declareForeign(shown, word, journal)
  await declareForeign(shown, { ...word, by: 'bob' }, journal)
  expect(await store.read(recordKey.foreign('withdraw', row.id))).toMatchObject({
    ...word,
    listed: listing.foreignOn(word.at.slice(0, 10)),
  })
  // The shown record, also with `show --json`, has the declaration and none of the record's own fields.
  expect(await journal.findForeign('withdraw', row.id)).toEqual(word)
  // Steps of a run may write the claim, so it names no person.
  expect(await store.read(recordKey.claim('withdraw', row.id))).not.toHaveProperty('by')
  expect(await journal.claim('withdraw', row.id, 'intent-1')).toBe(FOREIGN)
})

test('a movement that an intent has claimed belongs to that intent', async () => {
  const journal = createJournal(createMemoryStore(), () => 'stamp')
  await journal.claim('withdraw', row.id, 'intent-1')
  await expect(declareForeign(shown, word, journal)).rejects.toThrow('is claimed by intent intent-1')
  expect(await journal.findForeign('withdraw', row.id)).toBeUndefined()
})
