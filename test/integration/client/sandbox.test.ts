// Tests every endpoint of the client against the sandbox, which shares no code with it, with both kinds of signing key.

import { type Sandbox, type SandboxKey, startSandbox } from '@sluice/service-sandbox'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../core/clock.ts'
import { AMOUNT_PATTERN } from '../../../core/contract/amount.ts'
import { parseKeyMaterial } from '../../../core/keys/key-material.ts'
import { staticKeySource } from '../../../core/keys/key-source.ts'
import { createServiceClient, type ServiceClient } from '../../../core/service/service-client.ts'

let sandbox: Sandbox
const clients: ServiceClient[] = []

beforeAll(async () => {
  sandbox = await startSandbox()
})
afterAll(() => sandbox.stop())
afterEach(async () => {
  for (const client of clients.splice(0)) client.close()
  await fetch(`${sandbox.controlUrl}/rules`, { method: 'DELETE' })
})

function clientWith(key: SandboxKey): ServiceClient {
  const client = createServiceClient({
    baseUrl: sandbox.baseUrl,
    key: staticKeySource(parseKeyMaterial(JSON.stringify(key), { stage: 'test', role: 'trade' })),
    clock: systemClock,
    newId: () => crypto.randomUUID(),
  })
  clients.push(client)
  return client
}

async function control(path: string, body?: unknown): Promise<unknown> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(sandbox.controlUrl + path, { ...init, headers: { 'content-type': 'application/json' } })
  expect(response.ok).toBe(true)
  return response.json()
}

async function movementsOf(orderId: string): Promise<readonly { nonce: string; kid: string }[]> {
  const oracle = (await control('/oracle')) as {
    movements: { orderId?: string; id: string; nonce: string; kid: string }[]
    invariants: { ok: boolean }
  }
  expect(oracle.invariants.ok).toBe(true)
  return oracle.movements.filter((each) => (each.orderId ?? each.id) === orderId)
}

const BUY_BTC = { baseAsset: 'BTC', quoteAsset: 'USD', side: 'BUY', amountAsset: 'USD', amount: '250' } as const

describe('reference data and account', () => {
  it('are read completely, and one by one in either spelling and any case', async () => {
    const client = clientWith(sandbox.keys.readonly)
    const [assets, markets] = await Promise.all([client.assets(), client.markets()])
    const equity = assets.find(({ assetClass, rebaseMultiplier }) => assetClass === 'STOCK' && rebaseMultiplier !== '1')
    expect(equity).toBeDefined()
    for (const spelling of [equity?.assetSymbol, equity?.rebasedSymbol, equity?.rebasedSymbol.toLowerCase()])
      expect(await client.asset(spelling ?? '')).toEqual(equity)
    expect(assets.find(({ assetSymbol }) => assetSymbol === 'BTC')).toMatchObject(await client.knownAsset('btc'))
    const market = markets.find(({ baseAsset }) => baseAsset === equity?.assetSymbol)
    expect(await client.market(`${market?.rebasedBaseAsset}-${market?.quoteAsset}`)).toEqual(market)
    expect(new Set(markets.map(({ id }) => id)).size).toBe(markets.length)
  })

  it('include health, account and balances', async () => {
    const client = clientWith(sandbox.keys.readonly)
    expect((await client.health()).status).not.toBe('')
    expect((await client.account()).preferredCurrency).not.toBe('')
    const balances = await client.balances()
    expect(balances.find(({ assetSymbol }) => assetSymbol === 'USD')?.balance).toMatch(AMOUNT_PATTERN)
  })

  it('include prices, at the minimum and at a size', async () => {
    const client = clientWith(sandbox.keys.readonly)
    expect((await client.price('BTC-USD', { side: 'SELL' })).rate).toMatch(AMOUNT_PATTERN)
    expect(await client.indicativeRate(BUY_BTC)).toMatch(AMOUNT_PATTERN)
  })

  it('refuse unknown items', async () => {
    const client = clientWith(sandbox.keys.readonly)
    await expect(client.asset('NOSUCH')).rejects.toMatchObject({ name: 'Refused', problem: { code: 'not_found' } })
    await expect(client.market('NO-SUCH')).rejects.toMatchObject({ name: 'Refused', problem: { code: 'not_found' } })
    expect(await client.findOrder('a/b c+%?#')).toBeUndefined()
  })
})

describe('service time', () => {
  afterEach(() => control('/clock', { offsetMs: 0 }))

  it("is used to sign sends, however far it is from this machine's time", async () => {
    await control('/clock', { offsetMs: 3_600_000 })
    const client = clientWith(sandbox.keys.trade)
    await client.clock.measure()
    expect(client.clock.nowMs() - Date.now()).toBeGreaterThan(3_500_000)
    const quote = await client.createQuote(BUY_BTC)
    const prepared = await client.prepareOrder(quote.orderId, 30)
    expect(await prepared.send()).toEqual({ kind: 'accepted', status: 'FILLED' })
  })
})

describe.each(['full', 'rsa'] as const)('a conversion with the %s key', (name) => {
  it('fills at once, is read back with its fills, and moved money once under its own nonce', async () => {
    const client = clientWith(sandbox.keys[name])
    await client.clock.measure()
    const quote = await client.createQuote(BUY_BTC)
    const prepared = await client.prepareOrder(quote.orderId, 30)
    expect(await prepared.send()).toEqual({ kind: 'accepted', status: 'FILLED' })
    const order = await client.findOrder(quote.orderId)
    expect(order).toMatchObject({
      id: quote.orderId,
      status: 'FILLED',
      side: 'BUY',
      baseAmount: quote.baseAmount,
      filledBaseAmount: quote.baseAmount,
      filledQuoteAmount: quote.quoteAmount,
      rate: quote.rate,
    })
    const fills = await client.fillsOf(quote.orderId, 10)
    expect(fills).toMatchObject([{ sequence: 1, baseAmount: quote.baseAmount, quoteAmount: quote.quoteAmount }])
    expect(await client.fills({ orderId: quote.orderId }, 10)).toEqual(fills)
    expect(await client.listOrders({ market: 'BTC-USD', side: 'BUY' }, 100)).toContainEqual(order)
    expect(await movementsOf(quote.orderId)).toMatchObject([
      { nonce: prepared.facts.nonce, kid: sandbox.keys[name].prefix },
    ])
  })
})

describe('an equity that rebases', () => {
  it('is quoted, placed and filled in settled units all the way', async () => {
    const client = clientWith(sandbox.keys.full)
    const equity = (await client.assets()).find(
      ({ assetClass, rebaseMultiplier }) => assetClass === 'STOCK' && rebaseMultiplier !== '1',
    )
    await client.clock.measure()
    const quote = await client.createQuote({
      baseAsset: equity?.rebasedSymbol ?? '',
      quoteAsset: 'USD',
      side: 'BUY',
      amountAsset: equity?.rebasedSymbol ?? '',
      amount: '2',
    })
    expect(quote).toMatchObject({ market: `${equity?.assetSymbol}-USD`, multiplier: equity?.rebaseMultiplier })
    expect(Number(quote.baseAmount)).toBe(2)
    await (await client.prepareOrder(quote.orderId, 30)).send()
    const order = await client.order(quote.orderId)
    expect(order).toMatchObject({ filledBaseAmount: quote.baseAmount, rate: quote.rate })
    expect(await client.fillsOf(quote.orderId, 10)).toMatchObject([{ baseAmount: quote.baseAmount }])
  })
})

describe('a send that goes wrong', () => {
  const orders = { method: 'POST', path: '/v2/orders' }
  const fault = (kind: string, more: Readonly<Record<string, unknown>> = {}) =>
    control('/rules', { match: orders, fault: { kind, ...more } })
  async function sendOne() {
    const client = clientWith(sandbox.keys.trade)
    await client.clock.measure()
    const quote = await client.createQuote(BUY_BTC)
    const answer = await (await client.prepareOrder(quote.orderId, 30)).send()
    return { client, quote, answer, movements: await movementsOf(quote.orderId) }
  }

  it('is PROCESSING when it settles later', async () => {
    await fault('settleLater', { afterMs: 60_000, outcome: 'fill' })
    const { client, quote, answer } = await sendOne()
    expect(answer).toEqual({ kind: 'accepted', status: 'PROCESSING' })
    expect((await client.order(quote.orderId)).status).not.toBe('FILLED')
    await control('/clock', { advanceMs: 61_000 })
    expect((await client.order(quote.orderId)).status).toBe('FILLED')
  })

  it('is unproven and moved nothing when the connection is lost before the order is booked', async () => {
    await fault('dropBeforeCommit')
    const { client, quote, answer, movements } = await sendOne()
    expect(answer).toMatchObject({ kind: 'unproven', said: { code: 'no_answer' } })
    expect(movements).toHaveLength(0)
    expect(await client.findOrder(quote.orderId)).toBeUndefined()
  })

  it('is unproven and moved money once when the connection is lost after the order is booked', async () => {
    await fault('dropAfterCommit')
    const { client, quote, answer, movements } = await sendOne()
    expect(answer).toMatchObject({ kind: 'unproven', said: { code: 'no_answer' } })
    expect(movements).toHaveLength(1)
    expect(await client.findOrder(quote.orderId)).toMatchObject({ status: 'FILLED' })
  })

  it('is unproven and moved money once when a 503 hides that the order is booked', async () => {
    await fault('errorAfterCommit', { status: 503, code: 'maintenance', retryable: true })
    const { answer, movements } = await sendOne()
    expect(answer).toMatchObject({ kind: 'unproven', said: { code: 'maintenance', status: 503, business: false } })
    expect(movements).toHaveLength(1)
  })

  it('reports that the quote expired', async () => {
    await control('/rules', { match: { method: 'POST', path: '/v2/quotes' }, fault: { kind: 'expireQuote' } })
    const { answer, movements } = await sendOne()
    expect(answer).toMatchObject({ kind: 'unproven', said: { code: 'quotation_expired', business: false } })
    expect(movements).toHaveLength(0)
  })

  it('reports that the scope is missing, which is no business refusal, because another key may have it', async () => {
    const quote = await clientWith(sandbox.keys.full).createQuote(BUY_BTC)
    const client = clientWith(sandbox.keys.readonly)
    await client.clock.measure()
    const answer = await (await client.prepareOrder(quote.orderId, 30)).send()
    expect(answer).toMatchObject({
      kind: 'unproven',
      said: { code: 'insufficient_scope', business: false, keyAtFault: true },
    })
  })
})

describe('a read that goes wrong', () => {
  it.each([
    ['rateLimit', { retryAfterSeconds: 0 }, 'RateLimited', 'rate_limited'],
    [
      'errorBeforeCommit',
      { status: 502, code: 'downstream_unavailable', retryable: true },
      'Transient',
      'downstream_unavailable',
    ],
    ['dropBeforeCommit', {}, 'Transient', 'no_answer'],
  ])('survives one %s, and is Transient when they do not end', async (kind, more, name, code) => {
    const rule = (times: unknown) =>
      control('/rules', { match: { method: 'GET', path: '/v2/account', times }, fault: { kind, ...more } })
    const client = clientWith(sandbox.keys.readonly)
    await rule(1)
    expect(await client.account()).toBeDefined()
    await rule('always')
    await expect(client.account()).rejects.toMatchObject({ name, problem: { code } })
  })

  it('is Refused when a quote asks for something invalid', async () => {
    const client = clientWith(sandbox.keys.trade)
    await expect(client.createQuote({ ...BUY_BTC, amountAsset: 'ETH' })).rejects.toMatchObject({
      name: 'Refused',
      problem: { isDocument: true },
    })
    await expect(client.createQuote({ ...BUY_BTC, amount: '0.000001' })).rejects.toMatchObject({ name: 'Refused' })
  })
})

it('a refusal that a gateway labelled as any JSON gives its reason, and is trusted no more than before', async () => {
  await control('/rules', {
    match: { method: 'POST', path: '/v2/quotes', times: 'always' },
    fault: { kind: 'badAnswer', how: 'asJson' },
  })
  const tooLittle = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '0.01' } as const
  await expect(clientWith(sandbox.keys.full).createQuote(tooLittle)).rejects.toMatchObject({
    name: 'Transient',
    message: expect.stringMatching(/\[not_a_problem\], which claims, not proven: unprocessable: .*minimum/),
    problem: { isDocument: false, code: 'not_a_problem' },
  })
})
