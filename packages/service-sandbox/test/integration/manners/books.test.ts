// A withdrawal may be booked at its completion or at its acceptance, and its amount cannot be spent twice.
import { expect, test } from 'vitest'
import type { Caller } from '../caller.ts'
import { startWith, withdraw } from './arranged.ts'

const entriesOf = async (caller: Caller, id: string) =>
  (await caller.get(`/v2/ledger?sourceId=${id}`)).body.data.map(
    ({ type, amount }: { type: string; amount: string }) => [type, amount],
  )

test('booked at completion, a withdrawal is frozen until then; at completion it leaves the balance and enters the ledger', async () => {
  const caller = await startWith({ books: 'completion' })
  const { body } = await withdraw(caller)
  expect(await caller.balance('USDC')).toMatchObject({ balance: '100000', balanceFrozen: '50' })
  expect(await entriesOf(caller, body.id)).toEqual([])
  await caller.advance(6_000)
  expect((await caller.get(`/v2/withdrawals/${body.id}`)).body.status).toBe('COMPLETED')
  expect(await caller.balance('USDC')).toMatchObject({ balance: '99950', balanceFrozen: '0' })
  expect(await entriesOf(caller, body.id)).toEqual([['WITHDRAWAL', '50']])
  expect((await caller.control('GET', '/oracle')).invariants).toEqual({ ok: true, violations: [] })
})

test('booked at completion, a failed withdrawal is never booked: no entry, no refund, and its total is free again', async () => {
  const caller = await startWith({ books: 'completion' })
  await caller.rule('POST', '/v2/withdrawals', { kind: 'failLater', afterMs: 1_000 })
  const { body } = await withdraw(caller)
  await caller.advance(2_000)
  expect((await caller.get(`/v2/withdrawals/${body.id}`)).body.status).toBe('FAILED')
  expect(await entriesOf(caller, body.id)).toEqual([])
  expect(await caller.balance('USDC')).toMatchObject({ balance: '100000', balanceFrozen: '0' })
})

test.each([
  ['parts', ['WITHDRAWAL 49.9', 'WITHDRAWAL_FEE 0.1'], ['WITHDRAWAL_REFUND 49.9', 'WITHDRAWAL_FEE_REFUND 0.1']],
  ['legs', ['DEBIT 50', 'CREDIT 50'], ['DEBIT 50', 'CREDIT 50']],
  ['bounced', ['WITHDRAWAL 50'], ['PAYMENT_BOUNCED 50']],
  ['deposited', ['WITHDRAWAL 50'], ['DEPOSIT 50']],
  ['untyped', [' 50'], [' 50']],
] as const)('shown %s, a withdrawal and its refund have entries of these types', async (entries, debit, refund) => {
  const caller = await startWith({ entries })
  await caller.rule('POST', '/v2/withdrawals', { kind: 'failLater', afterMs: 1_000 })
  const { body } = await withdraw(caller)
  const shownEntries = async () =>
    (await entriesOf(caller, body.id)).map((entry: string[]) => entry.join(' ')).toSorted()
  expect(await shownEntries()).toEqual(debit.toSorted())
  await caller.advance(2_000)
  expect(await shownEntries()).toEqual([...debit, ...refund].toSorted())
  expect((await caller.control('GET', '/oracle')).invariants).toEqual({ ok: true, violations: [] })
})

test('a frozen amount cannot be spent again', async () => {
  const caller = await startWith({ books: 'completion' })
  await withdraw(caller, '99000')
  expect((await withdraw(caller, '2000')).status).toBe(422)
})

test('a control call that completes a withdrawal books it, and a failed one is never booked', async () => {
  const caller = await startWith({ books: 'completion' })
  const [completed, failed] = [(await withdraw(caller)).body.id, (await withdraw(caller)).body.id]
  await caller.control('POST', `/withdrawals/${completed}`, { status: 'COMPLETED' })
  await caller.control('POST', `/withdrawals/${failed}`, { status: 'FAILED' })
  expect([await entriesOf(caller, completed), await entriesOf(caller, failed)]).toEqual([[['WITHDRAWAL', '50']], []])
  expect(await caller.balance('USDC')).toMatchObject({ balance: '99950', balanceFrozen: '0' })
})
