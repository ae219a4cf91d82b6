// Tests the description's "Authentication": both tiers, and the first failed check.
import { createHash, generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { base64url, Caller, expectProblem, type Signing } from './caller.ts'

let caller: Caller
let nowSeconds: number
beforeAll(async () => {
  // The clock stands still, so edges are exact.
  caller = await Caller.start({ clock: { nowMs: () => 1_800_000_000_000 } })
  nowSeconds = 1_800_000_000
})
afterAll(() => caller.sandbox.stop())

/** Returns the answer to a signed request that passes authentication: its orderId names no quote. */
const signed = (signing: Signing = {}) => caller.signed('/v2/orders', { orderId: 'no such quote' }, signing)
const pastAuthentication = { status: 422, code: 'unprocessable' }

describe('the keys', () => {
  test('a secret is svc_test_, 32 characters and a checksum of 6; the prefix is its first 21 characters', () => {
    for (const { secret, prefix } of Object.values(caller.sandbox.keys)) {
      expect(secret).toMatch(/^svc_test_[0-9A-Za-z]{38}$/)
      expect(prefix).toBe(secret.slice(0, 21))
    }
  })
})

describe('tier 1', () => {
  test('a bearer secret reads', async () => {
    expect((await caller.get('/v2/account')).status).toBe(200)
  })

  test.each([
    ['no Authorization header', {}],
    ['another scheme', { authorization: 'Basic abc' }],
    ['an unknown secret', { authorization: 'Bearer svc_test_00000000000000000000000000000000000000' }],
  ])('%s is unauthorized', async (_name, headers) => {
    expectProblem(await caller.send('GET', '/v2/account', headers as Record<string, string>), 401, 'unauthorized')
  })

  test('signing a bearer route is unauthorized with reason signed_jwt_on_bearer_route', async () => {
    const token = await caller.token('GET', '/v2/account', '')
    const { prefix } = caller.sandbox.keys.full
    const reason = 'signed_jwt_on_bearer_route'
    for (const headers of [{ 'x-api-key': prefix }, {}] as Record<string, string>[]) {
      const answer = await caller.send('GET', '/v2/account', { ...headers, authorization: `Bearer ${token}` })
      expectProblem(answer, 401, 'unauthorized', { reason })
    }
    const { secret } = caller.sandbox.keys.full
    const withPrefix = { 'x-api-key': prefix, authorization: `Bearer ${secret}` }
    expectProblem(await caller.send('GET', '/v2/account', withPrefix), 401, 'unauthorized', { reason })
  })

  test('quotes and contact labels are written with the bearer secret, unsigned', async () => {
    expect((await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')).status).toBe(201)
    const [contact] = caller.sandbox.contacts
    expect((await caller.patch(`/v2/contacts/${contact?.id}`, { alias: 'Vault' })).status).toBe(200)
  })
})

describe('tier 2', () => {
  test.each(['full', 'rsa'] as const)('the %s key signs with its algorithm', async (name) => {
    expect((await signed({ key: caller.sandbox.keys[name] })).body).toMatchObject(pastAuthentication)
  })

  test('the bearer secret alone does not move money', async () => {
    const answer = await caller.post('/v2/orders', { orderId: 'x' })
    expectProblem(answer, 401, 'unauthorized', { reason: 'signed_jwt_required' })
  })

  test('the full secret in X-API-Key is unauthorized, with the detail that the API key is unknown', async () => {
    const answer = await signed({ apiKey: caller.sandbox.keys.full.secret })
    expectProblem(answer, 401, 'unauthorized')
    expect(answer.body.detail).toContain('unknown')
  })

  test.each<[string, Signing]>([
    ['sub_mismatch', { claims: { sub: 'svc_test_000000000000' } }],
    ['uri_mismatch', { claims: { uri: 'POST /v2/withdrawals' } }],
    ['uri_mismatch', { claims: { uri: 'post /v2/orders' } }],
    ['uri_mismatch', { claims: { uri: 'POST /v2/orders?' } }],
    ['nonce_missing', { claims: { nonce: undefined } }],
    ['nonce_missing', { claims: { nonce: 7 } }],
    ['iat_missing', { claims: { iat: '1800000000' } }],
    ['exp_missing', { claims: { exp: undefined } }],
    ['exp_before_iat', { claims: { iat: 1_800_000_000, exp: 1_800_000_000 } }],
    ['lifetime_too_long', { claims: { iat: 1_800_000_000, exp: 1_800_000_061 } }],
    ['token_expired', { claims: { iat: 1_799_999_930, exp: 1_799_999_990 } }],
    ['body_hash_mismatch', { claims: { bodyHash: createHash('sha256').update('{}').digest('hex') } }],
    ['body_hash_mismatch', { claims: { bodyHash: undefined } }],
    ['unsupported_algorithm', { header: { alg: 'none' } }],
    ['unsupported_algorithm', { header: { alg: 'HS256' } }],
    ['unsupported_critical_header', { header: { crit: ['b64'], b64: false } }],
    ['no_signing_key', { header: { alg: 'RS256' } }],
  ])('a failing check is invalid_signature with its reason: %s', async (reason, signing) => {
    expectProblem(await signed(signing), 401, 'invalid_signature', { reason, retryable: false })
  })

  test("another key's signature does not verify", async () => {
    const { full, trade } = caller.sandbox.keys
    const answer = await signed({ key: { ...full, privateKeyPem: trade.privateKeyPem } })
    expectProblem(answer, 401, 'invalid_signature', { reason: 'signature_mismatch' })
  })

  test('a body that was serialised again after signing is refused', async () => {
    const answer = await signed({ sendInstead: '{ "orderId": "no such quote" }' })
    expectProblem(answer, 401, 'invalid_signature', { reason: 'body_hash_mismatch' })
  })

  test.each([
    ['not a token', 'malformed_token'],
    [`${base64url('[]')}.e30.AA`, 'malformed_token'],
    ['a.b.c.d', 'malformed_token'],
    ['*.e30.AA', 'malformed_token'],
  ])('the token %j is malformed', async (token, reason) => {
    const headers = {
      authorization: `Bearer ${token.replaceAll(' ', '')}`,
      'x-api-key': caller.sandbox.keys.full.prefix,
    }
    expectProblem(await caller.send('POST', '/v2/orders', headers, '{}'), 401, 'invalid_signature', { reason })
  })

  test('the uri is compared as sent, percent-encoding and query included', async () => {
    const target = '/v2/orders?page=%31'
    const encoded = await caller.signed(target, { orderId: 'x' })
    // The signature passes; the query itself is refused.
    expectProblem(encoded, 400, 'validation_error')
    const decoded = await caller.signed(target, { orderId: 'x' }, { claims: { uri: 'POST /v2/orders?page=1' } })
    expectProblem(decoded, 401, 'invalid_signature', { reason: 'uri_mismatch' })
  })

  test('a token lives 60 seconds at most, and 60 is allowed', async () => {
    const answer = await signed({ claims: { iat: nowSeconds, exp: nowSeconds + 60 } })
    expect(answer.body).toMatchObject(pastAuthentication)
  })

  test('an iat too far ahead of server time is clock_skew, which is retryable', async () => {
    const at = (ahead: number) => signed({ claims: { iat: nowSeconds + ahead, exp: nowSeconds + ahead + 10 } })
    expect((await at(5)).body).toMatchObject(pastAuthentication)
    expectProblem(await at(6), 401, 'clock_skew', { reason: 'iat_ahead', retryable: true })
  })

  test('a token is accepted until the leeway after its exp is over', async () => {
    const expired = (secondsAgo: number) => signed({ claims: { iat: nowSeconds - 30, exp: nowSeconds - secondsAgo } })
    expect((await expired(5)).body).toMatchObject(pastAuthentication)
    expectProblem(await expired(6), 401, 'invalid_signature', { reason: 'token_expired' })
  })

  test('a nonce is accepted once for a key, whatever the outcome of the first request', async () => {
    const claims = { nonce: 'only once' }
    expect((await signed({ claims })).body).toMatchObject(pastAuthentication)
    expectProblem(await signed({ claims }), 401, 'nonce_reused', { retryable: true })
    expect((await signed({ claims, key: caller.sandbox.keys.trade })).body).toMatchObject(pastAuthentication)
  })

  test('a nonce is kept for as long as a token that carries it could be accepted', async () => {
    let nowMs = 1_800_000_000_000
    const own = await Caller.start({ clock: { nowMs: () => nowMs } })
    const token = await own.token('POST', '/v2/orders', '{"orderId":"x"}')
    const key = own.sandbox.keys.full
    const headers = { authorization: `Bearer ${token}`, 'x-api-key': key.prefix, 'content-type': 'application/json' }
    const replay = () => own.send('POST', '/v2/orders', headers, '{"orderId":"x"}')
    expect((await replay()).body).toMatchObject(pastAuthentication)
    nowMs += 35_000
    expectProblem(await replay(), 401, 'nonce_reused')
    nowMs += 1
    expectProblem(await replay(), 401, 'invalid_signature', { reason: 'token_expired' })
    await own.sandbox.stop()
  })

  test('a nonce of a token that failed an earlier check is not used up', async () => {
    const claims = { nonce: 'still fresh' }
    await signed({ claims: { ...claims, uri: 'POST /elsewhere' } })
    expect((await signed({ claims })).body).toMatchObject(pastAuthentication)
  })

  test('50 requests with one nonce: exactly one is accepted', async () => {
    const token = await caller.token('POST', '/v2/orders', '{"orderId":"x"}')
    const apiKey = caller.sandbox.keys.full.prefix
    const headers = { authorization: `Bearer ${token}`, 'x-api-key': apiKey, 'content-type': 'application/json' }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => caller.send('POST', '/v2/orders', headers, '{"orderId":"x"}')),
    )
    expect(answers.map(({ body }) => body.code).sort()).toEqual([
      ...Array.from({ length: 49 }, () => 'nonce_reused'),
      'unprocessable',
    ])
  })
})

describe('scopes', () => {
  test.each([
    ['readonly', 'POST', '/v2/quotes', 'trading:write'],
    ['transfer', 'POST', '/v2/quotes', 'trading:write'],
    ['trade', 'PATCH', '/v2/contacts/x', 'contacts:write'],
  ] as const)('the %s key may not %s %s: it lacks %s', async (name, method, path, scope) => {
    const { secret } = caller.sandbox.keys[name]
    const answer = await caller.send(method, path, { authorization: `Bearer ${secret}` }, '{}')
    expectProblem(answer, 403, 'insufficient_scope')
    expect(answer.body.detail).toContain(scope)
  })

  test('an order takes trading:write and a withdrawal transfers:write', async () => {
    const { transfer, trade } = caller.sandbox.keys
    expectProblem(await signed({ key: transfer }), 403, 'insufficient_scope')
    expectProblem(await caller.signed('/v2/withdrawals', {}, { key: trade }), 403, 'insufficient_scope')
  })
})

describe('the life cycle of a key', () => {
  let own: Caller
  let nowMs = 1_800_000_000_000
  beforeAll(async () => {
    own = await Caller.start({ clock: { nowMs: () => nowMs } })
  })
  afterAll(() => own.sandbox.stop())

  test('after a rotation the old secret works for 7 days and is then key_expired, on both tiers', async () => {
    const old = own.sandbox.keys.trade
    const { secrets } = await own.control('POST', '/keys/trade', { do: 'rotate' })
    const fresh = { ...old, secret: secrets[1].secret, prefix: secrets[1].prefix }
    nowMs += 7 * 86_400_000 - 1
    expect((await own.get('/v2/account', old)).status).toBe(200)
    nowMs += 1
    expectProblem(await own.get('/v2/account', old), 401, 'key_expired')
    expectProblem(await own.signed('/v2/orders', { orderId: 'x' }, { key: old }), 401, 'key_expired')
    expect((await own.get('/v2/account', fresh)).status).toBe(200)
    expect((await own.signed('/v2/orders', { orderId: 'x' }, { key: fresh })).body).toMatchObject(pastAuthentication)
  })

  test('a revoked key is key_revoked', async () => {
    await own.control('POST', '/keys/readonly', { do: 'revoke' })
    expectProblem(await own.get('/v2/account', own.sandbox.keys.readonly), 401, 'key_revoked')
  })

  test('with a list of addresses, any other origin is ip_not_allowed on both tiers', async () => {
    const key = own.sandbox.keys.transfer
    await own.control('POST', '/keys/transfer', { do: 'allowAddresses', addresses: ['192.0.2.1'] })
    expectProblem(await own.get('/v2/account', key), 403, 'ip_not_allowed')
    expectProblem(await own.signed('/v2/withdrawals', {}, { key }), 403, 'ip_not_allowed')
    await own.control('POST', '/keys/transfer', { do: 'allowAddresses', addresses: ['127.0.0.1'] })
    expect((await own.get('/v2/account', key)).status).toBe(200)
  })

  test('all active signing keys are tried, and a revoked one stops verifying at once', async () => {
    const old = own.sandbox.keys.full
    const pair = generateKeyPairSync('ed25519', {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    })
    const fresh = { ...old, privateKeyPem: pair.privateKey }
    const order = (key: typeof old) => own.signed('/v2/orders', { orderId: 'x' }, { key })
    const added = await own.control('POST', '/keys/full', { do: 'addSigningKey', publicKeyPem: pair.publicKey })
    expect((await order(old)).body).toMatchObject(pastAuthentication)
    expect((await order(fresh)).body).toMatchObject(pastAuthentication)
    await own.control('POST', '/keys/full', { do: 'revokeSigningKey', signingKeyId: added.signingKeys[0].id })
    expectProblem(await order(old), 401, 'invalid_signature', { reason: 'signature_mismatch' })
    expect((await order(fresh)).body).toMatchObject(pastAuthentication)
  })

  test('an account without API access is api_access_disabled; without two factors it moves no money', async () => {
    await own.control('POST', '/account', { twoFactor: false })
    expectProblem(
      await own.signed('/v2/orders', { orderId: 'x' }, { key: own.sandbox.keys.rsa }),
      403,
      'two_factor_required',
    )
    expect((await own.get('/v2/account')).status).toBe(200)
    await own.control('POST', '/account', { apiAccess: false, twoFactor: true })
    expectProblem(await own.get('/v2/account'), 403, 'api_access_disabled')
  })
})

describe('rate limits', () => {
  test('every authenticated answer shows what is left, and a request beyond the limit is rate_limited', async () => {
    let nowMs = 1_800_000_000_000
    const own = await Caller.start({ clock: { nowMs: () => nowMs } })
    await own.control('POST', '/limits', { perKey: 2, perAccount: 3 })
    const first = await own.get('/v2/account')
    expect(first.headers.get('ratelimit-limit')).toBe('2')
    expect(first.headers.get('ratelimit-remaining')).toBe('1')
    expect((await own.get('/v2/account')).status).toBe(200)
    const third = await own.get('/v2/account')
    expectProblem(third, 429, 'rate_limited', { retryable: true })
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    // The three requests have used up the account's limit too, whichever key asks.
    expectProblem(await own.get('/v2/account', own.sandbox.keys.rsa), 429, 'rate_limited')
    nowMs += 60_000
    expect((await own.get('/v2/account')).status).toBe(200)
    await own.sandbox.stop()
  })
})
