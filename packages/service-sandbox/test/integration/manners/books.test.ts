import { expect, test } from 'vitest'
import type { Caller } from '../caller.ts'
import { startWith, withdraw } from './arranged.ts'

const entriesOf = async (caller: Caller, id: string) =>
  (await caller.get(`/v2/ledger?sourceId=${id}`)).body.data.map(
    ({ type, amount }: { type: string; amount: string }) => [type, amount],
  )

test('booked at completion, a withdrawal is frozen until then, and leaves the balance and the ledger tells it then', async () => {
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

test('booked at completion, one that fails is never booked: no entry, no refund, and it is free again', async () => {
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
] as const)('told in %s, a withdrawal and its refund have two entries each', async (entries, debit, refund) => {
  const caller = await startWith({ entries })
  await caller.rule('POST', '/v2/withdrawals', { kind: 'failLater', afterMs: 1_000 })
  const { body } = await withdraw(caller)
  const told = async () => (await entriesOf(caller, body.id)).map((each: string[]) => each.join(' ')).toSorted()
  expect(await told()).toEqual(debit.toSorted())
  await caller.advance(2_000)
  expect(await told()).toEqual([...debit, ...refund].toSorted())
  expect((await caller.control('GET', '/oracle')).invariants).toEqual({ ok: true, violations: [] })
})

test('what is frozen cannot be spent a second time', async () => {
  const caller = await startWith({ books: 'completion' })
  await withdraw(caller, '99000')
  expect((await withdraw(caller, '2000')).status).toBe(422)
})

test('a control call that completes or fails a withdrawal books it, or never does', async () => {
  const caller = await startWith({ books: 'completion' })
  const [one, other] = [(await withdraw(caller)).body.id, (await withdraw(caller)).body.id]
  await caller.control('POST', `/withdrawals/${one}`, { status: 'COMPLETED' })
  await caller.control('POST', `/withdrawals/${other}`, { status: 'FAILED' })
  expect([await entriesOf(caller, one), await entriesOf(caller, other)]).toEqual([[['WITHDRAWAL', '50']], []])
  expect(await caller.balance('USDC')).toMatchObject({ balance: '99950', balanceFrozen: '0' })
})
