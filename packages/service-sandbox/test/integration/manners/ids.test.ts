// Ids of the sandbox may be counted, UUIDs or odd, and each stays unique and can be found.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startWith, withdraw } from './arranged.ts'

test('counted ids start at the same number for orders and withdrawals, and an order has the id of its quote', async () => {
  const caller = await startWith({ ids: 'counter' })
  const { body: quote } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')
  const { body: order } = await caller.signed('/v2/orders', { orderId: quote.orderId })
  const { body: withdrawal } = await withdraw(caller)
  expect([quote.orderId, order.id, withdrawal.id]).toEqual(['1000001', '1000001', '1000001'])
  expect((await caller.convert('BTC-USDC', 'BUY', 'USDC', '100')).body).toMatchObject({
    id: '1000002',
    transactionId: '1000002',
  })
  expect((await withdraw(caller)).body.id).toBe('1000002')
  // Both exist, each among its kind.
  expect((await caller.get('/v2/orders/1000001')).body.market).toBe('BTC-USDC')
  expect((await caller.get('/v2/withdrawals/1000001')).body.assetSymbol).toBe('USDC')
  const { movements } = await caller.control('GET', '/oracle')
  expect(movements.filter(({ id }: { id: string }) => id === '1000001')).toHaveLength(2)
})

test('counted ids continue after a restart, without a repetition', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-manners-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const stateFile = join(folder, 'world')
  const first = await startWith({ ids: 'counter' }, { stateFile })
  await withdraw(first)
  await first.sandbox.stop()
  const { Caller } = await import('../caller.ts')
  // Started without manners: the file has them.
  const second = await Caller.start({ stateFile })
  onTestFinished(() => second.sandbox.stop())
  expect(await second.control('GET', '/manners')).toMatchObject({ ids: 'counter' })
  expect((await withdraw(second)).body.id).toBe('1000002')
})

test('ids are UUIDs of version 4 on request', async () => {
  const caller = await startWith({ ids: 'uuid' })
  const { body: order } = await caller.convert('BTC-USDC', 'BUY', 'USDC', '100')
  for (const id of [order.id, order.transactionId, (await withdraw(caller)).body.id]) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  }
})

test('odd ids hold slashes, dots, spaces, percent signs and other scripts, and are found when percent-encoded as a whole', async () => {
  const caller = await startWith({ ids: 'odd' })
  const ids: string[] = []
  for (let n = 0; n < 40; n += 1) {
    const { id } =
      n % 2 === 0 ? (await withdraw(caller)).body : (await caller.convert('BTC-USDC', 'BUY', 'USDC', '10')).body
    const path = `/v2/${n % 2 === 0 ? 'withdrawals' : 'orders'}/${encodeURIComponent(id)}`
    expect((await caller.get(path)).body.id).toBe(id)
    ids.push(id)
  }
  expect(new Set(ids).size).toBe(40)
  expect(Math.max(...ids.map(({ length }) => length))).toBeLessThanOrEqual(256)
  for (const odd of ['/', '../', '/..', '..%2F..', ' ', '%2F', '?', '#', '"', 'ü', '注文']) {
    expect(
      ids.some((id) => id.includes(odd)),
      odd,
    ).toBe(true)
  }
})
