// A slow send is judged on arrival and done later, even if its client or a gateway hangs up.
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { type Caller, expectProblem } from '../caller.ts'
import { startWith, withdraw } from './arranged.ts'

const SLOW = { leastMs: 16_000, mostMs: 40_000, percent: 100 }
const isoMs = (text: string) => Date.parse(text)

async function movements(caller: Caller): Promise<Record<string, string>[]> {
  return (await caller.control('GET', '/oracle')).movements
}

/** Sends an order and does not wait for its answer. */
async function place(caller: Caller): Promise<{ orderId: string; answer: ReturnType<Caller['signed']> }> {
  const { orderId } = (await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')).body
  const answer = caller.signed('/v2/orders', { orderId })
  // The answer is held. Only the oracle shows that the order has arrived.
  await expect.poll(async () => (await movements(caller)).some(({ id }) => id === orderId)).toBe(true)
  return { orderId, answer }
}

test('a slow order is judged at its arrival, and answered and visible when it is done', async () => {
  const caller = await startWith({ slow: SLOW })
  const { orderId, answer } = await place(caller)
  const [movement] = await movements(caller)
  const workMs = isoMs(movement?.doneAt as string) - isoMs(movement?.acceptedAt as string)
  expect(workMs).toBeGreaterThanOrEqual(SLOW.leastMs)
  expect(workMs).toBeLessThanOrEqual(SLOW.mostMs)
  expect(movement).toMatchObject({ id: orderId, status: 'NEW' })
  // Its quote is used, and nobody sees the order yet. Reads and quotes are quick.
  expectProblem(await caller.signed('/v2/orders', { orderId }), 422, 'quotation_expired')
  expectProblem(await caller.get(`/v2/orders/${orderId}`), 404, 'not_found')
  expect((await caller.get('/v2/ledger?assetSymbol=BTC')).body.data).toHaveLength(1)
  await caller.advance(workMs - 1)
  expectProblem(await caller.get(`/v2/orders/${orderId}`), 404, 'not_found')
  await caller.advance(1)
  const { status, body } = await answer
  expect([status, body]).toEqual([201, { id: orderId, status: 'FILLED', transactionId: expect.any(String) }])
  const { body: seen } = await caller.get(`/v2/orders/${orderId}`)
  expect([seen.status, seen.createdAt]).toEqual(['FILLED', movement?.doneAt])
})

test('a slow order continues after its client hangs up, and is visible within a minute of its acceptance', async () => {
  const caller = await startWith({ slow: SLOW })
  const { orderId } = (await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')).body
  const body = JSON.stringify({ orderId })
  const headers = {
    authorization: `Bearer ${await caller.token('POST', '/v2/orders', body)}`,
    'x-api-key': caller.sandbox.keys.full.prefix,
    'content-type': 'application/json',
  }
  const sent = request(`${caller.sandbox.baseUrl}/v2/orders`, { method: 'POST', headers })
  sent.on('error', () => {})
  sent.end(body)
  await expect.poll(async () => (await movements(caller)).length).toBe(1)
  sent.destroy()
  await expect.poll(async () => (await caller.control('GET', '/oracle')).requests.at(-1).status).toBe(0)
  await caller.advance(60_000)
  expect((await caller.get(`/v2/orders/${orderId}`)).body.status).toBe('FILLED')
})

test('a slow withdrawal is frozen at first, and visible and booked when it is done', async () => {
  const caller = await startWith({ slow: SLOW })
  const answer = withdraw(caller)
  await expect.poll(async () => (await movements(caller)).length).toBe(1)
  expect((await caller.get('/v2/withdrawals')).body.pagination.totalItems).toBe(0)
  expect((await caller.get('/v2/ledger?assetSymbol=USDC')).body.data).toHaveLength(1)
  expect(await caller.balance('USDC')).toMatchObject({ balance: '100000', balanceFrozen: '50' })
  await caller.advance(40_000)
  const { status, body } = await answer
  expect([status, body.total]).toEqual([201, '50'])
  expect((await caller.get(`/v2/withdrawals/${body.id}`)).status).toBe(200)
  expect((await caller.get('/v2/ledger?assetSymbol=USDC')).body.data[0]).toMatchObject({
    type: 'WITHDRAWAL',
    amount: '50',
  })
  expect((await caller.control('GET', '/oracle')).invariants.ok).toBe(true)
})

test('a refusal is answered at once', async () => {
  const caller = await startWith({ slow: SLOW })
  expectProblem(await withdraw(caller, '999999999'), 422, 'unprocessable')
  expectProblem(await caller.signed('/v2/orders', { orderId: 'none' }), 422, 'unprocessable')
})

test('a gateway closes the connection after its longest wait, but the order completes', async () => {
  const caller = await startWith({ slow: { ...SLOW, hangUpMs: 30 } })
  const { orderId } = (await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')).body
  await expect(caller.signed('/v2/orders', { orderId })).rejects.toThrow()
  await caller.advance(40_000)
  expect((await caller.get(`/v2/orders/${orderId}`)).body.status).toBe('FILLED')
})

test('an order that settles later is answered 202 when the work on it is done', async () => {
  const caller = await startWith({ slow: SLOW })
  await caller.rule('POST', '/v2/orders', { kind: 'settleLater', afterMs: 5_000, outcome: 'fill' })
  const { orderId, answer } = await place(caller)
  const [movement] = await movements(caller)
  await caller.advance(isoMs(movement?.doneAt as string) - isoMs(movement?.acceptedAt as string))
  expect((await answer).status).toBe(202)
  expect((await caller.get(`/v2/orders/${orderId}`)).body.status).toBe('NEW')
  await caller.advance(5_000)
  expect((await caller.get(`/v2/orders/${orderId}`)).body.status).toBe('FILLED')
})

test('with a share of slow sends, the others are done at once', async () => {
  const caller = await startWith({ slow: { ...SLOW, percent: 50, hangUpMs: 0 } })
  for (let n = 0; n < 12; n += 1) await withdraw(caller).catch(() => undefined)
  const slow = (await movements(caller)).filter(({ doneAt }) => doneAt !== undefined).length
  expect(slow).toBeGreaterThan(0)
  expect(slow).toBeLessThan(12)
})
