// Any input gets a problem document with the right code: never a 5xx, a hang or a crash.
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Caller, expectProblem } from './caller.ts'

let caller: Caller
const defects: string[] = []
beforeAll(async () => {
  caller = await Caller.start({ log: (line) => void (line.startsWith('defect') && defects.push(line)) })
})
afterEach(() => expect(defects).toEqual([]))
afterAll(() => caller.sandbox.stop())

const headers = (more: Record<string, string> = {}) => ({
  authorization: `Bearer ${caller.sandbox.keys.full.secret}`,
  'content-type': 'application/json',
  ...more,
})
const quote = (body: string, more?: Record<string, string>) => caller.send('POST', '/v2/quotes', headers(more), body)

describe('bodies', () => {
  const fields = '"baseAsset":"BTC","quoteAsset":"USDC","amountAsset":"USDC","side":"BUY","amount":"100"'

  test('the unchanged body is accepted', async () => {
    expect((await quote(`{${fields}}`)).status).toBe(201)
  })

  test.each([
    ['nothing', ''],
    ['half an object', `{${fields}`],
    ['a list', '[]'],
    ['null', 'null'],
    ['a string', '"BTC"'],
    ['a number', '1e400'],
    ['a byte order mark', `\uFEFF{${fields}`],
    ['a trailing comma', `{${fields},}`],
    ['a comment', `{${fields}/**/}`],
    ['two objects', `{${fields}}{}`],
    ['a repeated field', `{${fields},"amount":"1"}`],
    ['a repeated field, escaped', `{${fields},"\\u0061mount":"1"}`],
    ['__proto__', `{${fields},"__proto__":{"amount":"1"}}`],
    ['constructor', `{${fields},"constructor":{"prototype":{}}}`],
    ['an object for a string', `{${fields.replace('"100"', '{"toString":"100"}')}}`],
    ['a list for a string', `{${fields.replace('"100"', '["100"]')}}`],
    ['null for a string', `{${fields.replace('"100"', 'null')}}`],
    ['other digits', `{${fields.replace('100', '١٠٠')}}`],
    ['full-width digits', `{${fields.replace('100', '１００')}}`],
    ['deep nesting', `{${fields},"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['deep nesting that never closes', '['.repeat(60_000)],
    ['a lone surrogate', `{${fields.replace('BTC', '\\ud800')}}`],
    ['a null character', `{${fields.replace('BTC', 'BTC\\u0000')}}`],
    ['a long code', `{${fields.replace('BTC', 'B'.repeat(33))}}`],
    ['too many bytes', `{${fields},"x":"${'x'.repeat(65_536)}"}`],
    ['far too many bytes', `{${fields},"x":"${'x'.repeat(2_000_000)}"}`],
  ])('%s is refused', async (_name, body) => {
    const { status, body: problem } = await quote(body)
    expect([400, 422]).toContain(status)
    expect(['validation_error', 'unprocessable']).toContain(problem.code)
  })

  test('bytes that are not UTF-8 are refused', async () => {
    const answer = await fetch(`${caller.sandbox.baseUrl}/v2/quotes`, {
      method: 'POST',
      headers: headers(),
      body: new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]),
    })
    expect(await answer.json()).toMatchObject({ code: 'validation_error' })
  })

  test('another content type is refused', async () => {
    expectProblem(await quote(`{${fields}}`, { 'content-type': 'text/plain' }), 400, 'validation_error')
    expect((await quote(`{${fields}}`, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(201)
  })

  test('prototypes are unchanged', () => {
    expect(({} as Record<string, unknown>).amount).toBeUndefined()
  })
})

describe('targets', () => {
  test.each([
    ['/v2/orders/%2e%2e%2faccount', 404],
    ['/v2/orders/..%2f..%2faccount', 404],
    ['/v2/orders/a%2Fb%20c%3Fd%25', 404],
    ['/v2/orders/%00', 404],
    ['/v2/orders/%ff', 400],
    ['/v2/orders/%', 400],
    ['/v2/orders/', 404],
    ['/v2//orders', 404],
    ['/v2/orders/x/', 404],
    ['/', 404],
    ['/v2', 404],
    ['/v2/assets/__proto__', 404],
    ['/v2/markets/__proto__-constructor', 404],
    ['/v2/markets/constructor', 404],
    ['/v2/assets/ß', 404],
    ['/v2/orders?__proto__=1', 400],
    ['/v2/orders?constructor=1', 400],
    ['/v2/orders?page=%zz', 400],
    ['/v2/orders?%=1', 400],
    ['/v2/orders?page=１', 400],
    ['/v2/orders?=', 400],
    [`/v2/orders/${'x'.repeat(8_000)}`, 404],
    ['/_control/__proto__', 404],
    ['/_control/rules/%', 400],
  ])('GET %s is %i', async (target, status) => {
    expect((await caller.get(target as string)).status).toBe(status)
  })

  test.each(['PUT', 'DELETE', 'OPTIONS', 'TRACE-ME', 'PROPFIND'])('%s is not an endpoint', async (method) => {
    const text = await exchange(`${method} /v2/account HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    expect(text).toMatch(/^HTTP\/1\.1 40[04] /)
  })

  test.each([
    ['no HTTP at all', 'HELLO\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['headers beyond the bound', `GET /v2/health HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`],
    ['two lengths', 'POST /v2/quotes HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    [
      'a length and chunks',
      'POST /v2/quotes HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
  ])('%s gets a problem, and the connection ends', async (_name, bytes) => {
    expect(await exchange(bytes)).toMatch(/^HTTP\/1\.1 400 .*validation_error/s)
  })

  test('a target in absolute form and one with dot segments reach no endpoint', async () => {
    for (const target of ['http://127.0.0.1/v2/account', '/v2/x/../account', '*']) {
      const text = await exchange(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
      expect(text).toMatch(/^HTTP\/1\.1 40[04] /)
    }
  })
})

describe('headers', () => {
  test('an unknown expectation is ignored', async () => {
    const text = await exchange('GET /v2/health HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n')
    expect(text).toMatch(/^HTTP\/1\.1 200 /)
  })

  test.each([
    ['a token in another scheme', { authorization: 'Digest x' }],
    ['two tokens', { authorization: 'Bearer a, Bearer b' }],
    ['an empty token', { authorization: 'Bearer ' }],
    ['a huge token', { authorization: `Bearer ${'a'.repeat(9_000)}` }],
    ['three empty parts', { authorization: 'Bearer ..', 'x-api-key': '' }],
  ])('%s is a 401', async (_name, given) => {
    const answer = await caller.send('POST', '/v2/orders', given as Record<string, string>, '{}')
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthorized'])
  })

  test('a signed request with a huge or broken token is a 401', async () => {
    const apiKey = caller.sandbox.keys.full.prefix
    for (const token of ['a'.repeat(9_000), `${'e30'}.${'A'.repeat(8_200)}.AA`, 'e30.e30.', '..', 'bnVsbA.bnVsbA.AA']) {
      const answer = await caller.send(
        'POST',
        '/v2/orders',
        { authorization: `Bearer ${token}`, 'x-api-key': apiKey },
        '{}',
      )
      expectProblem(answer, 401, 'invalid_signature', { reason: 'malformed_token' })
    }
  })
})

test('a caller that disconnects during an answer leaves the sandbox unchanged', async () => {
  for (const fault of [
    { kind: 'delay', ms: 50 },
    { kind: 'delay', ms: 50, when: 'after' },
    { kind: 'badAnswer', how: 'huge' },
    { kind: 'badAnswer', how: 'slowDrip', ms: 100 },
  ]) {
    await caller.rule('GET', '/v2/account', fault)
    const abort = new AbortController()
    const answer = fetch(`${caller.sandbox.baseUrl}/v2/account`, { headers: headers(), signal: abort.signal })
    await expect.poll(async () => (await caller.control('GET', '/rules')).rules.at(-1).met, { interval: 5 }).toBe(1)
    abort.abort()
    await answer.then((late) => late.text()).catch(() => {})
  }
  await caller.control('DELETE', '/rules')
  expect((await caller.get('/v2/account')).status).toBe(200)
})

test('a request is answered beside 500 idle connections', async () => {
  const port = Number(new URL(caller.sandbox.baseUrl).port)
  const idle = await Promise.all(
    Array.from(
      { length: 500 },
      () =>
        new Promise<ReturnType<typeof connect>>((resolve) => {
          const socket = connect(port, '127.0.0.1', () => resolve(socket))
          socket.on('error', () => {})
        }),
    ),
  )
  for (const socket of idle) socket.write('GET /v2/health HTTP/1.1\r\nHost:')
  expect((await caller.get('/v2/account')).status).toBe(200)
  for (const socket of idle) socket.destroy()
})

/** Sends raw bytes, and returns everything received until the connection ends. */
function exchange(bytes: string): Promise<string> {
  const port = Number(new URL(caller.sandbox.baseUrl).port)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, 'latin1'))
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}
