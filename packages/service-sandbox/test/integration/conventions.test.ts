// Tests the description's "General conventions", "Errors", "System and public" and "Versioning".
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROBLEM_KINDS } from '../../service/problem.ts'
import { ACTIONS } from '../../service/routes.ts'
import { Caller, expectProblem } from './caller.ts'

let caller: Caller
beforeAll(async () => {
  caller = await Caller.start()
})
afterAll(() => caller.sandbox.stop())

describe('system and public', () => {
  test('health, time and the webhook key set need no key', async () => {
    for (const path of ['/v2/health', '/v2/time', '/v2/.well-known/webhook-jwks.json']) {
      expect((await caller.send('GET', path, {})).status).toBe(200)
    }
  })

  test('server time is the time of the control clock, in the body and in the Date header', async () => {
    await caller.control('POST', '/clock', { offsetMs: 86_400_000 })
    const { body, headers } = await caller.send('GET', '/v2/time', {})
    await caller.control('POST', '/clock', { offsetMs: 0 })
    expect(Math.abs(Date.parse(body.time) - Date.now() - 86_400_000)).toBeLessThan(60_000)
    expect(Math.abs(Date.parse(headers.get('date') ?? '') - Date.parse(body.time))).toBeLessThan(60_000)
    expect(Date.parse(body.time)).toBe(body.epochMs)
  })

  test('in maintenance health answers 200 with MAINTENANCE, and every other route 503 maintenance', async () => {
    await caller.control('POST', '/maintenance', { on: true })
    const health = await caller.send('GET', '/v2/health', {})
    const others = await Promise.all([
      caller.send('GET', '/v2/time', {}),
      caller.get('/v2/account'),
      caller.signed('/v2/orders', { orderId: 'x' }),
    ])
    await caller.control('POST', '/maintenance', { on: false })
    expect(health.body.status).toBe('MAINTENANCE')
    for (const other of others) expectProblem(other, 503, 'maintenance', { retryable: true })
    expect((await caller.send('GET', '/v2/health', {})).body.status).toBe('OK')
  })

  test('v2 is the only interface, and the control API is not under it', async () => {
    expectProblem(await caller.get('/v1/users/current'), 404, 'not_found')
    expectProblem(await caller.get('/v2/_control/oracle'), 404, 'not_found')
  })

  test('there is no single-fill route, and an order is not found by a route of its clientOrderId', async () => {
    expectProblem(await caller.get('/v2/fills/some-id'), 404, 'not_found')
    expectProblem(await caller.get('/v2/orders/client/some-id'), 404, 'not_found')
  })
})

describe('problem documents', () => {
  test('the type ends in the code, and detail, instance and trace id are present', async () => {
    const { body } = await caller.get('/v2/orders/unknown?assetFormat=base')
    expect(body.type).toMatch(/^https:\/\/.+\/errors\/not_found$/)
    expect(body).toMatchObject({ instance: '/v2/orders/unknown', traceId: expect.any(String), retryable: false })
  })

  test('the codes have the status and retryable flag of the table', () => {
    const retryable = ['clock_skew', 'nonce_reused', 'rate_limited', 'internal_error', 'downstream_unavailable']
    for (const [code, kind] of Object.entries(PROBLEM_KINDS)) {
      expect(kind.retryable, code).toBe([...retryable, 'maintenance'].includes(code))
    }
  })
})

describe('scopes', () => {
  test.each([
    [
      'accounts:read',
      ['/v2/account', '/v2/balances', '/v2/balances/{assetSymbol}/history', '/v2/deposits', '/v2/ledger'],
    ],
    [
      'market_data:read',
      ['/v2/assets', '/v2/assets/{assetSymbol}', '/v2/markets', '/v2/markets/{market}', '/v2/markets/{market}/price'],
    ],
    ['transfers:read', ['/v2/withdrawals', '/v2/withdrawals/{id}']],
    ['transfers:write', ['/v2/withdrawals']],
    ['trading:read', ['/v2/orders', '/v2/orders/{id}', '/v2/orders/{id}/fills', '/v2/fills']],
    ['trading:write', ['/v2/quotes', '/v2/orders']],
    ['contacts:read', ['/v2/contacts', '/v2/contacts/{contactId}']],
    ['contacts:write', ['/v2/contacts/{contactId}']],
    ['webhooks:read', []],
  ])('%s opens %j, and nothing else', (scope, paths) => {
    const opened = ACTIONS.filter(({ access }) => access.tier !== 'none' && access.scope === scope)
    expect(opened.map(({ path }) => path).sort()).toEqual([...(paths as string[])].sort())
  })

  test('only orders and withdrawals are signed', () => {
    const signed = ACTIONS.filter(({ access }) => access.tier === 'signed').map(
      ({ method, path }) => `${method} ${path}`,
    )
    expect(signed).toEqual(['POST /v2/orders', 'POST /v2/withdrawals'])
  })

  test('reference data is the same for every key', async () => {
    const { full, readonly } = caller.sandbox.keys
    for (const path of ['/v2/assets?limit=100', '/v2/markets?limit=100']) {
      expect((await caller.get(path, readonly)).body).toEqual((await caller.get(path, full)).body)
    }
  })
})

describe('every endpoint', () => {
  const reads = ACTIONS.filter(({ method }) => method === 'GET')

  test.each(reads.map(({ path }) => path))('GET %s rejects an unknown query parameter by its name', async (path) => {
    const target = path.replace(/\{\w+\}/g, 'USD')
    const answer = await caller.get(`${target}?colour=red`)
    expectProblem(answer, 400, 'validation_error')
    expect(answer.body.detail).toContain('colour')
  })

  test.each(ACTIONS.filter(({ access }) => access.tier !== 'none').map(({ method, path }) => [method, path]))(
    '%s %s without a key is unauthorized',
    async (method, path) => {
      const answer = await caller.send(method as string, (path as string).replace(/\{\w+\}/g, 'USD'), {})
      expectProblem(answer, 401, 'unauthorized', { retryable: false })
    },
  )

  const acceptsFormat = [
    '/v2/orders',
    '/v2/orders/{id}',
    '/v2/orders/{id}/fills',
    '/v2/fills',
    '/v2/withdrawals',
    '/v2/withdrawals/{id}',
    '/v2/deposits',
    '/v2/balances',
    '/v2/markets/{market}/price',
  ]

  test.each(reads.map(({ path }) => path))('GET %s takes assetFormat only where the description says', async (path) => {
    const target = path.replace(/\{\w+\}/g, 'USD')
    const { body } = await caller.get(`${target}?assetFormat=base`)
    expect(String(body.detail).includes('assetFormat')).toBe(!acceptsFormat.includes(path))
  })

  test('an assetFormat other than base and rebased is a validation_error', async () => {
    expectProblem(await caller.get('/v2/balances?assetFormat=Base'), 400, 'validation_error')
  })

  test('collections use data and pagination, and balances are a plain array', async () => {
    const collections = ['assets', 'markets', 'orders', 'fills', 'withdrawals', 'contacts', 'deposits', 'ledger']
    for (const name of collections) {
      expect(Object.keys((await caller.get(`/v2/${name}`)).body)).toEqual(['data', 'pagination'])
    }
    expect(Array.isArray((await caller.get('/v2/balances')).body)).toBe(true)
  })
})
