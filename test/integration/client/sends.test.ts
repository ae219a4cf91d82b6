// A send arrives once, signed for exactly its bytes, and only a proof counts as a yes or a no.
import { createHash, verify } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { Defect, Refused, Transient } from '../../../core/errors.ts'
import { businessRefusals } from '../../../core/service/classify.ts'
import { setUpClient, testKey, withTime } from '../../helpers/client-setup.ts'
import { type Arrived, answerJson, answerProblem, type Respond } from '../../helpers/local-server.ts'
import { holdDeadlines, hostileAnswers, LIMITS } from './hostile-answers.ts'

beforeEach(holdDeadlines)

async function sendOne(respond: Respond, options: Parameters<typeof setUpClient>[1] = {}) {
  const { server, client, clock } = await setUpClient(withTime(respond), options)
  await client.clock.measure()
  const prepared = await client.prepareOrder('q-1', 30)
  const answer = await prepared.send()
  return { server, client, clock, prepared, answer, sent: server.arrived.filter(({ method }) => method === 'POST') }
}

function claimsOf(request: Arrived | undefined): Record<string, unknown> {
  const token = request?.headers.authorization?.replace(/^Bearer /, '') ?? ''
  const [header, payload, signature] = token.split('.')
  const isGenuine = verify(
    null,
    Buffer.from(`${header}.${payload}`),
    testKey.publicKey,
    Buffer.from(signature ?? '', 'base64url'),
  )
  expect(isGenuine).toBe(true)
  return JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())
}

describe('a send', () => {
  it('carries the prefix, and a token over the exact method, target and bytes that arrive', async () => {
    const { prepared, sent } = await sendOne((_request, response) => answerJson(response, 201, {}))
    const [request] = sent
    expect(sent).toHaveLength(1)
    expect(request?.body.toString()).toBe('{"orderId":"q-1"}')
    expect(request?.headers).toMatchObject({
      'x-api-key': testKey.key.prefix,
      'content-type': 'application/json',
      'content-length': '17',
      'accept-encoding': 'identity',
      'user-agent': 'sluice',
    })
    expect(claimsOf(request)).toEqual({
      sub: testKey.key.prefix,
      uri: `POST ${request?.target}`,
      nonce: 'nonce-1',
      iat: Date.UTC(2026, 0, 31, 9) / 1000,
      exp: Date.UTC(2026, 0, 31, 9) / 1000 + 30,
      bodyHash: createHash('sha256')
        .update(request?.body ?? '')
        .digest('hex'),
    })
    expect(prepared.facts).toEqual({
      nonce: 'nonce-1',
      kid: testKey.key.prefix,
      iat: Date.UTC(2026, 0, 31, 9) / 1000,
      exp: Date.UTC(2026, 0, 31, 9) / 1000 + 30,
      bodySha256: claimsOf(request).bodyHash,
    })
  })

  it('also signs the path of a base address, because that is sent', async () => {
    const { sent } = await sendOne((_request, response) => answerJson(response, 201, {}), { basePath: '/gate/way/' })
    expect(sent[0]?.target).toBe('/gate/way/v2/orders')
    expect(claimsOf(sent[0]).uri).toBe('POST /gate/way/v2/orders')
  })

  it.each(['a/b c', '1+1=2?', '100%', 'ü€"\\'])('carries the id %s unharmed', async (orderId) => {
    const { server, client } = await setUpClient(withTime((_request, response) => answerJson(response, 201, {})))
    await client.clock.measure()
    await (await client.prepareOrder(orderId, 30)).send()
    const request = server.arrived.at(-1)
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({ orderId })
    expect(claimsOf(request).bodyHash).toBe(
      createHash('sha256')
        .update(request?.body ?? '')
        .digest('hex'),
    )
  })

  it.each([
    [201, 'FILLED'],
    [202, 'PROCESSING'],
  ])('answered with %s is accepted as %s', async (status, accepted) => {
    const { answer } = await sendOne((_request, response) =>
      answerJson(response, status, { id: 'q-1', status: accepted }),
    )
    expect(answer).toEqual({ kind: 'accepted', status: accepted })
  })

  it.each<[string, string]>([
    ['garbage', 'content-type: text/html\r\ncontent-length: 4\r\n\r\n<h1>'],
    ['a body cut off', 'content-type: application/json\r\ncontent-length: 100\r\n\r\n{"id":'],
    ['no body', 'content-length: 0\r\n\r\n'],
    ['a body that never comes', 'content-length: 100\r\n\r\n'],
  ])('takes the status for the yes, with %s behind it', async (_what, rest) => {
    const { answer, sent } = await sendOne((_request, _response, socket) => {
      socket.write(`HTTP/1.1 202 Accepted\r\n${rest}`)
      if (!rest.endsWith('\r\n\r\n')) socket.end()
    })
    expect(answer).toEqual({ kind: 'accepted', status: 'PROCESSING' })
    expect(sent).toHaveLength(1)
  })

  it('does not wait for the body behind a yes', async () => {
    // Longer than a test may take, so a client that waits for the body would not finish.
    const { answer } = await sendOne((_request, response) => response.writeHead(201).write('{'), {
      limits: { requestTimeoutMs: 60_000 },
    })
    expect(answer).toEqual({ kind: 'accepted', status: 'FILLED' })
  })

  it.each(hostileAnswers)('answered with $what is unproven, and arrived once', async ({ respond, code, status }) => {
    const { answer, sent } = await sendOne(respond, { limits: LIMITS })
    // An unpromised success status is no yes, whatever its body.
    const heard = code === 'not_json' ? 'unexpected_status' : code
    expect(answer).toMatchObject({ kind: 'unproven', said: { code: heard, business: false } })
    expect(answer.kind === 'unproven' ? answer.said.status : undefined).toBe(status)
    expect(sent).toHaveLength(1)
  })

  it.each([...businessRefusals])('refused with %s says that it was a no to the business', async (code) => {
    const { answer } = await sendOne((_request, response) => answerProblem(response, 422, code, { detail: 'because' }))
    expect(answer).toEqual({
      kind: 'unproven',
      said: { code, status: 422, business: true, text: `POST /v2/orders: the service answered 422 ${code}: because` },
    })
  })

  it.each([
    ['nonce_reused', 401],
    ['clock_skew', 401],
    ['quotation_expired', 409],
    ['internal_error', 500],
    ['rate_limited', 429],
    ['not_found', 404],
    ['key_expired', 401],
  ])('refused with %s, retryable or not, is not sent again', async (code, status) => {
    const { answer, sent } = await sendOne((_request, response) =>
      answerProblem(response, status, code, { retryable: true }),
    )
    expect(answer).toMatchObject({ kind: 'unproven', said: { code, status, business: false } })
    expect(sent).toHaveLength(1)
  })

  it('is a Defect the second time, and nothing leaves', async () => {
    const { prepared, server } = await sendOne((_request, response) => answerJson(response, 201, {}))
    const before = server.arrived.length
    await expect(prepared.send()).rejects.toThrow(Defect)
    expect(server.arrived).toHaveLength(before)
  })

  it('is a Defect the second time, also while the first is under way', async () => {
    const { server, client } = await setUpClient(withTime((_request, response) => answerJson(response, 201, {})))
    await client.clock.measure()
    const prepared = await client.prepareOrder('q-1', 30)
    const [first, second] = await Promise.allSettled([prepared.send(), prepared.send()])
    expect(first).toMatchObject({ value: { kind: 'accepted' } })
    expect(second).toMatchObject({ reason: { name: 'Defect' } })
    expect(server.arrived.filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('arrives once when the server closes a reused connection', async () => {
    const { answer, server, sent } = await sendOne((_request, _response, socket) => socket.destroy())
    expect(answer).toMatchObject({ kind: 'unproven', said: { code: 'no_answer' } })
    expect(server.arrived.map(({ method, connection }) => [method, connection])).toEqual([
      ['GET', 1],
      ['POST', 1],
    ])
    expect(sent).toHaveLength(1)
  })

  it('does not use a connection that was idle for long', async () => {
    const { server, client, clock } = await setUpClient(withTime((_request, response) => answerJson(response, 201, {})))
    await client.clock.measure()
    const prepared = await client.prepareOrder('q-1', 30)
    clock.advance(2_001)
    expect(await prepared.send()).toEqual({ kind: 'accepted', status: 'FILLED' })
    expect(server.arrived.map(({ connection }) => connection)).toEqual([1, 2])
  })

  it('each arrives once when many go out at the same time', async () => {
    const { server, client } = await setUpClient(withTime((_request, response) => answerJson(response, 201, {})))
    await client.clock.measure()
    const prepared = await Promise.all(Array.from({ length: 60 }, (_, index) => client.prepareOrder(`q-${index}`, 30)))
    await Promise.all(prepared.map(({ send }) => send()))
    const bodies = server.arrived.slice(1).map(({ body }) => body.toString())
    expect(bodies).toHaveLength(60)
    expect(new Set(bodies).size).toBe(60)
    expect(new Set(prepared.map(({ facts }) => facts.nonce)).size).toBe(60)
  })
})

describe('preparing a send', () => {
  it('sends no request to the service', async () => {
    const { server, client } = await setUpClient(withTime((_request, response) => answerJson(response, 201, {})))
    await client.clock.measure()
    await client.prepareOrder('q-1', 30)
    expect(server.arrived.map(({ target }) => target)).toEqual(['/v2/time'])
  })

  it('measures service time first while it is unknown, and fails as a read when it cannot', async () => {
    const { server, client } = await setUpClient(withTime(() => undefined))
    await client.prepareOrder('q-1', 30)
    expect(server.arrived.map(({ target }) => target)).toEqual(['/v2/time'])
    const down = await setUpClient((_request, response) => answerProblem(response, 503, 'maintenance'))
    await expect(down.client.prepareOrder('q-1', 30)).rejects.toThrow(Transient)
  })

  it('is a Defect with a life that the service would refuse', async () => {
    const { client } = await setUpClient(withTime(() => undefined))
    await expect(client.prepareOrder('q-1', 61)).rejects.toThrow(Defect)
    await expect(client.prepareOrder('q-1', 0)).rejects.toThrow(Defect)
  })

  it.each(['', '..', 'a/../b', 'a\nb', 'x'.repeat(257)])('refuses the id %j', async (orderId) => {
    const { client } = await setUpClient(withTime(() => undefined))
    await client.clock.measure()
    await expect(client.prepareOrder(orderId, 30)).rejects.toThrow(Refused)
  })
})
