// Tests the control API's rules: which requests meet a fault, and the effect of each fault.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Caller, expectProblem } from './caller.ts'

let caller: Caller
let nowMs = 1_800_000_000_000
beforeAll(async () => {
  caller = await Caller.start({ clock: { nowMs: () => nowMs } })
})
afterEach(() => caller.control('DELETE', '/rules'))
afterAll(() => caller.sandbox.stop())

const movements = async () => (await caller.control('GET', '/oracle')).movements
const lastRequest = async () => (await caller.control('GET', '/oracle')).requests.at(-1)

async function quoteId(): Promise<string> {
  return (await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')).body.orderId
}

describe('which requests meet the fault', () => {
  const fault = { kind: 'errorBeforeCommit', status: 502, code: 'downstream_unavailable' }
  const statuses = async (path: string, count: number) => {
    const seen: number[] = []
    for (let request = 0; request < count; request += 1) seen.push((await caller.get(path)).status)
    return seen
  }

  test('by default the next request', async () => {
    await caller.rule('GET', '/v2/account', fault)
    expect(await statuses('/v2/account', 3)).toEqual([502, 200, 200])
  })

  test('from the nth request on, the given number of times', async () => {
    await caller.rule('GET', '/v2/account', fault, { nth: 2, times: 2 })
    expect(await statuses('/v2/account', 5)).toEqual([200, 502, 502, 200, 200])
  })

  test('always, but only for the paths and methods of the rule', async () => {
    await caller.rule('GET', '/v2/orders/*', fault, { times: 'always' })
    expect(await statuses('/v2/orders/a%2Fb/fills', 2)).toEqual([502, 502])
    expect(await statuses('/v2/orders', 1)).toEqual([200])
    expect((await caller.signed('/v2/orders', { orderId: 'x' })).status).toBe(422)
  })

  test('with a probability, where the seed decides', async () => {
    await caller.rule('GET', '/v2/account', fault, { probability: 0.5, times: 'always' })
    const seen = await statuses('/v2/account', 40)
    const met = seen.filter((status) => status === 502).length
    expect(met).toBeGreaterThan(8)
    expect(met).toBeLessThan(32)
  })

  test('a rule counts its requests, and can be removed by its id', async () => {
    const { id } = await caller.control('POST', '/rules', { match: { path: '/v2/account', nth: 3 }, fault })
    await caller.get('/v2/account')
    expect((await caller.control('GET', '/rules')).rules).toMatchObject([{ id, seen: 1, met: 0 }])
    expect(await caller.control('DELETE', `/rules/${id}`)).toEqual({ rules: [] })
    await expect(caller.control('DELETE', `/rules/${id}`)).rejects.toThrow('not_found')
  })

  test.each([
    ['no path', { match: {}, fault }],
    ['an unknown fault', { match: { path: '*' }, fault: { kind: 'explode' } }],
    ['a fault without its fields', { match: { path: '*' }, fault: { kind: 'delay' } }],
    ['a field of another fault', { match: { path: '*' }, fault: { kind: 'expireQuote', ms: 1 } }],
    ['a probability above 1', { match: { path: '*', probability: 2 }, fault }],
    ['a field beside match and fault', { match: { path: '*' }, fault, name: 'x' }],
  ])('%s is a validation_error', async (_name, rule) => {
    await expect(caller.control('POST', '/rules', rule)).rejects.toThrow('validation_error')
  })
})

describe('around the commit', () => {
  test('dropBeforeCommit: no answer, and nothing happened', async () => {
    const orderId = await quoteId()
    const before = (await movements()).length
    await caller.rule('POST', '/v2/orders', { kind: 'dropBeforeCommit' })
    await expect(caller.signed('/v2/orders', { orderId })).rejects.toThrow()
    expect(await movements()).toHaveLength(before)
    expect(await lastRequest()).toMatchObject({ status: 0, faults: ['dropBeforeCommit'] })
    expect((await caller.signed('/v2/orders', { orderId })).status).toBe(201)
  })

  test('dropAfterCommit: no answer, and everything happened, once', async () => {
    const orderId = await quoteId()
    const before = (await movements()).length
    await caller.rule('POST', '/v2/orders', { kind: 'dropAfterCommit' })
    await expect(caller.signed('/v2/orders', { orderId }, { claims: { nonce: 'dropped' } })).rejects.toThrow()
    expect(await movements()).toHaveLength(before + 1)
    expect((await movements()).at(-1)).toMatchObject({
      orderId,
      nonce: 'dropped',
      kid: caller.sandbox.keys.full.prefix,
    })
    expect((await caller.get(`/v2/orders/${orderId}`)).body.status).toBe('FILLED')
  })

  test('errorBeforeCommit: the status and code of the rule, and nothing happened', async () => {
    const orderId = await quoteId()
    const before = (await movements()).length
    await caller.rule('POST', '/v2/orders', { kind: 'errorBeforeCommit', status: 500, code: 'internal_error' })
    expectProblem(await caller.signed('/v2/orders', { orderId }), 500, 'internal_error', { retryable: true })
    expect(await movements()).toHaveLength(before)
  })

  test('errorAfterCommit: the same answer, and everything happened', async () => {
    const orderId = await quoteId()
    const before = (await movements()).length
    const fault = { kind: 'errorAfterCommit', status: 502, code: 'downstream_unavailable', retryable: false }
    await caller.rule('POST', '/v2/orders', fault)
    expectProblem(await caller.signed('/v2/orders', { orderId }), 502, 'downstream_unavailable', { retryable: false })
    expect(await movements()).toHaveLength(before + 1)
  })

  test('rateLimit: 429 with Retry-After and RateLimit-* headers, and nothing happened', async () => {
    const orderId = await quoteId()
    await caller.rule('POST', '/v2/orders', { kind: 'rateLimit', retryAfterSeconds: 7 })
    const answer = await caller.signed('/v2/orders', { orderId })
    expectProblem(answer, 429, 'rate_limited')
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(answer.headers.get('ratelimit-remaining')).toBe('0')
    expect((await caller.signed('/v2/orders', { orderId })).status).toBe(201)
  })

  test('delay holds the request before the commit, or the answer after it', async () => {
    for (const [when, during] of [
      ['before', 0],
      ['after', 1],
    ] as const) {
      const orderId = await quoteId()
      const before = (await movements()).length
      await caller.rule('POST', '/v2/orders', { kind: 'delay', ms: 400, when })
      const answer = caller.signed('/v2/orders', { orderId })
      await untilMet(1)
      expect(await movements()).toHaveLength(before + during)
      expect((await answer).status).toBe(201)
      await caller.control('DELETE', '/rules')
    }
  })

  /** Waits until the only rule has met this many requests. */
  async function untilMet(count: number): Promise<void> {
    await expect.poll(async () => (await caller.control('GET', '/rules')).rules[0].met, { interval: 5 }).toBe(count)
  }
})

describe('faults of the service', () => {
  test('expireQuote: the quote has expired when it is answered, and cannot be executed', async () => {
    await caller.rule('POST', '/v2/quotes', { kind: 'expireQuote' })
    const { body } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')
    expect(Date.parse(body.expiresAt)).toBeLessThan(nowMs)
    expectProblem(await caller.signed('/v2/orders', { orderId: body.orderId }), 422, 'quotation_expired')
  })

  test.each([
    [{ quoteAsset: 'USD', amountAsset: 'USD' }, { market: 'BTC-USD' }],
    [{ amount: '200' }, { market: 'BTC-USDC', quoteAmount: '200' }],
  ])('misquote %o: the quote has these fields, and so has its order', async (change, shown) => {
    await caller.rule('POST', '/v2/quotes', { kind: 'misquote', ...change })
    const { body } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')
    expect(body).toMatchObject(shown)
    expect((await caller.signed('/v2/orders', { orderId: body.orderId })).status).toBe(201)
    expect((await caller.get(`/v2/orders/${body.orderId}`)).body).toMatchObject({ ...shown, side: 'BUY' })
  })

  test('misquote of a side: the order shows it, and the quote does not', async () => {
    await caller.rule('POST', '/v2/quotes', { kind: 'misquote', side: 'SELL' })
    const { body } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')
    expect(body).toMatchObject({ market: 'BTC-USDC', quoteAmount: '100' })
    expect((await caller.signed('/v2/orders', { orderId: body.orderId })).status).toBe(201)
    expect((await caller.get(`/v2/orders/${body.orderId}`)).body).toMatchObject({ side: 'SELL' })
  })

  test('hideExpiry: the times of the quote are null, but it can be executed', async () => {
    await caller.rule('POST', '/v2/quotes', { kind: 'hideExpiry' })
    const { body } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')
    expect(body).toMatchObject({ quotedAt: null, expiresAt: null })
    expect((await caller.signed('/v2/orders', { orderId: body.orderId })).status).toBe(201)
  })

  test('oddId: the id needs percent-encoding as a whole, and then works everywhere', async () => {
    await caller.rule('POST', '/v2/quotes', { kind: 'oddId' })
    const { body } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')
    expect(body.orderId).toMatch(/[/].* .*%/)
    expect((await caller.signed('/v2/orders', { orderId: body.orderId })).status).toBe(201)
    const encoded = encodeURIComponent(body.orderId)
    expect((await caller.get(`/v2/orders/${encoded}`)).body.id).toBe(body.orderId)
    expect((await caller.get(`/v2/orders/${encoded}/fills`)).body.data).toHaveLength(1)
    expect((await caller.get(`/v2/fills?orderId=${encoded}`)).body.data).toHaveLength(1)
  })

  test('lateVisibility: no read shows an accepted order before that time, and its quote is used', async () => {
    const orderId = await quoteId()
    await caller.rule('POST', '/v2/orders', { kind: 'lateVisibility', ms: 2_000 })
    expect((await caller.signed('/v2/orders', { orderId })).status).toBe(201)
    const reads = async () => [
      (await caller.get(`/v2/orders/${orderId}`)).status,
      (await caller.get(`/v2/orders/${orderId}/fills`)).status,
      (await caller.get('/v2/orders')).body.data.some(({ id }: { id: string }) => id === orderId),
      (await caller.get(`/v2/fills?orderId=${orderId}`)).body.data.length,
    ]
    expect(await reads()).toEqual([404, 404, false, 0])
    expectProblem(await caller.signed('/v2/orders', { orderId }), 422, 'quotation_expired')
    nowMs += 2_000
    expect(await reads()).toEqual([200, 200, true, 1])
  })

  test('lateVisibility of a withdrawal', async () => {
    await caller.rule('POST', '/v2/withdrawals', { kind: 'lateVisibility', ms: 2_000 })
    const to = { assetSymbol: 'USDC', amount: '50', contactReference: 'cold-usdc-polygon' }
    const { body } = await caller.signed('/v2/withdrawals', to)
    expect((await caller.get(`/v2/withdrawals/${body.id}`)).status).toBe(404)
    expect((await caller.get('/v2/withdrawals')).body.pagination.totalItems).toBe(0)
    nowMs += 2_000
    expect((await caller.get(`/v2/withdrawals/${body.id}`)).status).toBe(200)
  })
})

describe('answers of a broken gateway', () => {
  const raw = async (path = '/v2/account') => {
    const authorization = `Bearer ${caller.sandbox.keys.full.secret}`
    return fetch(caller.sandbox.baseUrl + path, { headers: { authorization } })
  }

  test.each([
    ['malformed', 200, 'application/json'],
    ['empty', 200, 'application/json'],
    ['html', 200, 'text/html'],
  ])('%s: a body that is not JSON', async (how, status, type) => {
    await caller.rule('GET', '/v2/account', { kind: 'badAnswer', how })
    const answer = await raw()
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, type])
    const text = await answer.text()
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
  })

  test('cutOff: the connection ends in the middle of the body', async () => {
    await caller.rule('GET', '/v2/account', { kind: 'badAnswer', how: 'cutOff' })
    await expect(raw().then((answer) => answer.text())).rejects.toThrow()
  })

  test('huge: sixteen megabytes', async () => {
    await caller.rule('GET', '/v2/account', { kind: 'badAnswer', how: 'huge' })
    expect((await (await raw()).arrayBuffer()).byteLength).toBe(16 * 1024 * 1024)
  })

  test('slowDrip: the whole answer, in pieces', async () => {
    await caller.rule('GET', '/v2/account', { kind: 'badAnswer', how: 'slowDrip', ms: 500 })
    const chunks: number[] = []
    const answer = await raw()
    for await (const chunk of answer.body ?? []) chunks.push((chunk as Uint8Array).byteLength)
    expect(chunks.length).toBeGreaterThan(5)
    expect(chunks.reduce((sum, length) => sum + length, 0)).toBe(Number(answer.headers.get('content-length')))
  })

  test('asJson: a whole problem document, labelled application/json', async () => {
    await caller.rule('GET', '/v2/orders/none', { kind: 'badAnswer', how: 'asJson' })
    const answer = await raw('/v2/orders/none')
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8'])
    expect(await answer.json()).toMatchObject({ code: 'not_found', status: 404 })
  })

  test('redirect: 307 to another address, and nothing happened', async () => {
    await caller.rule('GET', '/v2/account', { kind: 'redirect', location: 'http://192.0.2.1/elsewhere' })
    const authorization = `Bearer ${caller.sandbox.keys.full.secret}`
    const answer = await fetch(`${caller.sandbox.baseUrl}/v2/account`, {
      headers: { authorization },
      redirect: 'manual',
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([307, 'http://192.0.2.1/elsewhere'])
    await answer.body?.cancel()
  })

  test('before the commit it is a 502, and nothing happened', async () => {
    const orderId = await quoteId()
    const before = (await movements()).length
    await caller.rule('POST', '/v2/orders', { kind: 'badAnswer', how: 'html', when: 'before' })
    await expect(caller.signed('/v2/orders', { orderId })).rejects.toThrow(SyntaxError)
    expect(await movements()).toHaveLength(before)
  })
})

test('the profile rough meets some requests with faults, and its books balance', async () => {
  const rough = await Caller.start({ profile: 'rough' })
  const seen = new Set<string | number>()
  for (let round = 0; round < 60; round += 1) {
    const quote = await rough.quote('BTC-USDC', 'BUY', 'USDC', '10')
    const outcome = await rough.signed('/v2/orders', { orderId: quote.body.orderId }).catch(() => undefined)
    seen.add(outcome === undefined ? 'no answer' : (outcome.body.code ?? outcome.status))
  }
  expect([...seen].sort()).toEqual(expect.arrayContaining([201, 202, 'no answer', 'quotation_expired']))
  expect((await rough.control('GET', '/oracle')).invariants.ok).toBe(true)
  await rough.sandbox.stop()
})
