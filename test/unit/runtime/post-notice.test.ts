// Posts notices to real receivers on this machine's sockets, by TLS too. Each test resolves the names.
import { Socket } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { Refused, Transient } from '../../../core/errors.ts'
import { type PostOptions, postNotice } from '../../../functions/runtime/post-notice.ts'
import { type Respond, startLocalServer } from '../../helpers/local-server.ts'
import { makeSelfSigned } from '../../helpers/self-signed.ts'

type Lookup = (error: Error | null, found: unknown) => void

const BODY = '{"says":"hello"}'
const SECRET = 's3cret-path'
const yes: Respond = (_request, response) => void response.writeHead(200).end('ok')

async function receiver(respond: Respond) {
  const server = await startLocalServer(respond)
  onTestFinished(() => server.stop())
  return server
}

const posted = (url: string, options: Partial<PostOptions> = {}) =>
  postNotice({ url: new URL(url), headers: { 'webhook-id': 'n-1' }, body: BODY }, { isDesk: true, ...options })

/** The message of the failure, which holds nothing of the address. */
async function failureOf(work: Promise<void>): Promise<Error> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof Error)) throw new Error('it did not fail')
  expect(`${error.message} ${error.stack?.split('\n')[0]} ${error.cause ?? ''}`).not.toMatch(
    /s3cret|127\.0|localhost|\d{4,5}/,
  )
  return error
}

afterEach(() => vi.restoreAllMocks())

test('one request takes the notice to the receiver, byte for byte', async () => {
  const { arrived, baseUrl } = await receiver(yes)
  await posted(`${baseUrl}/${SECRET}?a=1`)
  expect(arrived).toHaveLength(1)
  expect(arrived[0]).toMatchObject({ method: 'POST', target: `/${SECRET}?a=1` })
  expect(arrived[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': 'n-1' })
  expect(arrived[0]?.body.toString()).toBe(BODY)
})

describe('a receiver that does not take it', () => {
  test.each([400, 404, 410, 429, 500, 503])('with %i is tried again later, and not at once', async (status) => {
    const { arrived, baseUrl } = await receiver((_request, response) => void response.writeHead(status).end('s3cret'))
    const failure = await failureOf(posted(`${baseUrl}/${SECRET}`))
    expect(failure).toBeInstanceOf(Transient)
    expect(failure.message).toContain(String(status))
    expect(arrived).toHaveLength(1)
  })

  test.each([301, 302, 303, 307, 308])('with %i is not followed', async (status) => {
    const elsewhere = await receiver(yes)
    const { baseUrl } = await receiver(
      (_request, response) => void response.writeHead(status, { location: elsewhere.baseUrl }).end(),
    )
    expect((await failureOf(posted(`${baseUrl}/${SECRET}`))).message).toContain('a redirect, which is not followed')
    expect(elsewhere.arrived).toEqual([])
  })

  test.each<[string, Respond]>([
    ['that never answers', () => undefined],
    ['that sends its headers byte by byte', (_request, _response, socket) => void socket.write('HTTP/1.1 2')],
  ])('%s is abandoned after the time', async (_what, respond) => {
    const { baseUrl } = await receiver(respond)
    const failure = await failureOf(posted(`${baseUrl}/${SECRET}`, { timeoutMs: 100 }))
    expect(failure).toBeInstanceOf(Transient)
    expect(failure.message).toBe('the receiver did not answer in time')
  })

  test('that hangs up, or does not exist, is tried again later', async () => {
    const { baseUrl, stop } = await receiver((_request, _response, socket) => void socket.destroy())
    expect(await failureOf(posted(`${baseUrl}/${SECRET}`))).toBeInstanceOf(Transient)
    await stop()
    expect((await failureOf(posted(`${baseUrl}/${SECRET}`))).message).toMatch(/not reached \(ECONNREFUSED\)$/)
  })
})

test('only the status of an endless answer counts, and its connection is closed', async () => {
  let sent = 0
  const { baseUrl } = await receiver((_request, response, socket) => {
    response.writeHead(200)
    const more = () => {
      while (!socket.destroyed && response.write(Buffer.alloc(65_536))) sent += 65_536
    }
    response.on('drain', more)
    more()
  })
  await posted(`${baseUrl}/${SECRET}`)
  // The amount that the system had taken before the close, and not ten million bytes.
  expect(sent).toBeLessThan(10_000_000)
})

describe('a name', () => {
  const HOOK = `https://hooks.example.com/${SECRET}`
  const at = (...addresses: string[]) => ({
    resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  })

  test.each([
    [['127.0.0.1']],
    [['169.254.169.254']],
    [['10.0.0.1']],
    [['fd00:ec2::254']],
    [['::ffff:127.0.0.1']],
    [['93.184.215.14', '10.0.0.1']],
    [['2606:4700::1111', '::1']],
  ])('that resolves to %j is refused, on one machine too, and no connection is made', async (addresses) => {
    const emit = vi.spyOn(Socket.prototype, 'emit')
    for (const isDesk of [true, false]) {
      const failure = await failureOf(posted(HOOK, { ...at(...addresses), isDesk }))
      expect(failure).toBeInstanceOf(Refused)
      expect(failure.message).toContain('nothing was sent')
    }
    expect(emit).toHaveBeenCalled()
    expect(emit.mock.calls.map(([event]) => event)).not.toContain('connectionAttempt')
  })

  test('is resolved once, and exactly the judged address is connected to', async () => {
    const led: unknown[] = []
    vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given: unknown[]) {
      const [{ lookup }] = given.flat() as [{ lookup: (host: string, options: object, done: Lookup) => void }]
      lookup('hooks.example.com', { all: true }, (_error, found) => led.push(found))
      queueMicrotask(() => this.destroy(Object.assign(new Error('no'), { code: 'ECONNREFUSED' })))
      return this
    })
    let asked = 0
    const resolve = async () => {
      asked += 1
      // A name that resolves to another address the second time.
      return [{ address: asked === 1 ? '93.184.215.14' : '127.0.0.1', family: 4 }]
    }
    await failureOf(posted(HOOK, { resolve, timeoutMs: 1_000 }))
    expect(asked).toBe(1)
    expect(led).toEqual([[{ address: '93.184.215.14', family: 4 }]])
  })

  test('a name that is unknown, or never answered for, is tried again later', async () => {
    const unknown = async () => Promise.reject(Object.assign(new Error('getaddrinfo s3cret'), { code: 'ENOTFOUND' }))
    expect((await failureOf(posted(HOOK, { resolve: unknown }))).message).toBe(
      "the receiver's name was not found (ENOTFOUND)",
    )
    expect(await failureOf(posted(HOOK, at()))).toBeInstanceOf(Transient)
    const hangs = () => new Promise<never>(() => undefined)
    expect((await failureOf(posted(HOOK, { resolve: hangs, timeoutMs: 50 }))).message).toContain('in time')
  })
})

test('on AWS a receiver of this machine is refused', async () => {
  const { arrived, baseUrl } = await receiver(yes)
  expect(await failureOf(posted(`${baseUrl}/${SECRET}`, { isDesk: false }))).toBeInstanceOf(Refused)
  expect(arrived).toEqual([])
})

test('a receiver with an untrusted certificate receives nothing', async () => {
  const server = await startLocalServer(yes, makeSelfSigned())
  onTestFinished(() => server.stop())
  const { port } = new URL(server.baseUrl)
  const failure = await failureOf(posted(`https://127.0.0.1:${port}/${SECRET}`))
  expect(failure).toBeInstanceOf(Transient)
  expect(server.arrived).toEqual([])
})
