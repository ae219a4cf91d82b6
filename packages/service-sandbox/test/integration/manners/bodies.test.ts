// Untidy bodies have undescribed fields, statuses and times, beside everything that is described.
import { expect, test } from 'vitest'
import { expectProblem } from '../caller.ts'
import { NOW_MS, startWith, withdraw } from './arranged.ts'

test('an untidy time body shows times other than the present, and some show the present only in the Date header', async () => {
  const bodies = new Map<string, Record<string, unknown>>()
  for (const seed of ['one', 'two', 'five']) {
    const caller = await startWith({ bodies: 'untidy' }, { seed })
    const { body, headers } = await caller.send('GET', '/v2/time', {})
    expect(Date.parse(headers.get('date') ?? '')).toBe(Math.floor(NOW_MS / 1000) * 1000)
    bodies.set(Object.keys(body).join(' '), body)
  }
  expect(bodies.size).toBe(3)
  const shown = [...bodies.values()]
  expect(shown.some((body) => 'serviceWindowEndsAt' in body && 'time' in body)).toBe(true)
  expect(shown.some((body) => 'currentMaintenanceUntil' in body && !('time' in body) && !('timestamp' in body))).toBe(
    true,
  )
})

test('resources and items of lists have undescribed fields beside all described ones', async () => {
  const caller = await startWith({ bodies: 'untidy' })
  const { body: quote } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')
  const { body: balances } = await caller.get('/v2/balances')
  const { body: assets } = await caller.get('/v2/assets')
  for (const each of [quote, balances[0], assets, assets.data[0]]) expect(each).toHaveProperty('metadata')
  expect(assets.data[0]).toMatchObject({ assetSymbol: 'USD', assetClass: 'FIAT' })
})

test('a withdrawal passes undescribed statuses, and completes', async () => {
  const caller = await startWith({ bodies: 'untidy' })
  const { body } = await withdraw(caller)
  const statuses = [body.status]
  for (let step = 0; step < 12; step += 1) {
    await caller.advance(500)
    statuses.push((await caller.get(`/v2/withdrawals/${body.id}`)).body.status)
  }
  expect([...new Set(statuses)]).toEqual(['PENDING', 'AWAITING_REVIEW', 'REVIEWED', 'PROCESSING', 'COMPLETED'])
})

test('the other readings: the balance without frozen amounts, and quotation_expired as a retryable conflict', async () => {
  const caller = await startWith({ readings: 'other', books: 'completion' })
  await withdraw(caller)
  expect(await caller.balance('USDC')).toMatchObject({ balance: '99950', balanceFrozen: '50' })
  await caller.rule('POST', '/v2/quotes', { kind: 'expireQuote' })
  expectProblem(await caller.convert('BTC-USDC', 'BUY', 'USDC', '100'), 409, 'quotation_expired', { retryable: true })
})
