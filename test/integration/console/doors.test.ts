// Access to the console, on real sockets: only for a browser that opened the link, once, at the console's own address.
// Only forms of its own pages change anything.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { folderOfFile } from '../../helpers/folders.ts'
import { openTestConsole, send, type TestConsole } from './opened-console.ts'

const dir = folderOfFile()
beforeAll(() => {
  const service = { url: 'https://api.example.com', stage: 'test' }
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify({ service }))
})

const open = () => openTestConsole({ state: path.join(dir, 'state'), config: path.join(dir, 'treasury.json') })

/** A page that needs a session, and no journal. */
const INSIDE = '/acts/none'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

async function insideOf({ ask, enter, origin }: TestConsole) {
  const cookie = await enter()
  const { body } = await ask('/halt', { headers: { cookie } })
  return { cookie, own: { cookie, origin, ...FORM }, body }
}

test('a link opens the console once, and a newer link replaces an older one', async () => {
  const { ask, newLink } = await open()
  const older = new URL(newLink()).pathname
  const link = new URL(newLink()).pathname
  expect(await ask(older)).toMatchObject({ status: 403 })
  expect(await ask('/open/guessed')).toMatchObject({ status: 403 })
  expect(await ask(link, { method: 'HEAD' })).toMatchObject({ status: 403 })
  const opened = await ask(link)
  expect(opened.status).toBe(200)
  expect(String(opened.headers['set-cookie'])).toMatch(
    /^sluice-console-[0-9]+=[^;]+; Path=\/[\w-]{43}; HttpOnly; SameSite=Strict$/,
  )
  expect(await ask(link)).toMatchObject({ status: 403, headers: { 'cache-control': 'no-store' } })
})

test('a link in a notice opens nothing by itself: its page is the same for everybody, and knows no path of the console', async () => {
  const { ask, path: secret, enter } = await open()
  const cookie = await enter()
  for (const page of ['/go/runs/rb-1/decide', '/go/intents/wd-1', '/go/halt', '/go/queue']) {
    const [stranger, owner] = [await follow(page), await follow(page, { cookie })]
    expect(stranger).toMatchObject({
      status: 200,
      body: expect.stringContaining(`data-to="${page.slice('/go/'.length)}"`),
    })
    expect(stranger.body).not.toContain(secret)
    expect(owner.body).toBe(stranger.body)
  }
  for (const page of ['/go/books.csv', '/go/runs/..', '/go/acts/1', '/go/runs/a/approve', '/go//evil.example'])
    expect(await follow(page)).toMatchObject({ status: 401 })

  function follow(page: string, headers: Readonly<Record<string, string>> = {}) {
    return ask(page, { headers: { ...headers, 'sec-fetch-site': 'cross-site' } })
  }
})

test('without a session nothing is shown, not even that a page exists', async () => {
  const { ask, enter } = await open()
  for (const page of ['/', '/halt', '/live?topic=overview', '/nothing'])
    expect(await ask(page)).toMatchObject({ status: 401 })
  const cookie = await enter()
  expect(await ask(INSIDE, { headers: { cookie } })).toMatchObject({ status: 404 })
  const [name, value = ''] = cookie.split('=')
  const [id, until, signature] = value.split('.')
  const forged = [
    `${id}.${Number(until) + 1}.${signature}`,
    `${id}x.${until}.${signature}`,
    `${id}.${until}.`,
    '..',
    '',
  ]
  for (const text of forged)
    expect(await ask('/halt', { headers: { cookie: `${name}=${text}` } })).toMatchObject({ status: 401 })
})

test('a session ends after twelve hours', async () => {
  let nowMs = Date.parse('2026-01-31T09:00:00Z')
  const clock = { nowMs: () => nowMs, sleep: () => Promise.resolve() }
  const { ask, enter } = await openTestConsole(
    { state: path.join(dir, 'state'), config: path.join(dir, 'treasury.json') },
    clock,
  )
  const cookie = await enter()
  nowMs += 12 * 3_600_000 - 1
  expect(await ask(INSIDE, { headers: { cookie } })).toMatchObject({ status: 404 })
  nowMs += 1
  expect(await ask(INSIDE, { headers: { cookie } })).toMatchObject({ status: 401 })
})

test('the session of one console is not valid for another', async () => {
  const [one, other] = [await open(), await open()]
  const [, value] = (await one.enter()).split('=')
  const { port } = new URL(other.origin)
  expect(await other.ask(INSIDE, { headers: { cookie: `sluice-console-${port}=${value}` } })).toMatchObject({
    status: 401,
  })
})

test('outside the secret path there is nothing, also with the cookie, and no page leads there', async () => {
  const { ask, enter, origin, path: secret } = await open()
  const cookie = await enter()
  for (const page of [
    '/',
    '/halt',
    '/acts/1',
    '/live?topic=overview',
    `/${secret[1] === 'x' ? 'y' : 'x'}${secret.slice(2)}/halt`,
  ])
    expect(await send(origin, page, { headers: { cookie } })).toMatchObject({ status: 401 })
  const { status, body } = await ask('/halt', { headers: { cookie } })
  const notFound = await ask('/nothing', { headers: { cookie } })
  expect([status, notFound.status]).toEqual([502, 404])
  for (const [, to = ''] of `${body}${notFound.body}`.matchAll(/ (?:href|action|src)="(\/[^"]*)"/g))
    expect(to.startsWith(`${secret}/`) || to.startsWith('/assets/')).toBe(true)
})

test('another Host is refused, with a session and for the link, as in an attack by DNS rebinding', async () => {
  const { ask, enter, newLink, origin } = await open()
  const cookie = await enter()
  const { port } = new URL(origin)
  for (const host of [
    'example.com',
    `example.com:${port}`,
    '127.0.0.1',
    '127.0.0.1:1',
    `0.0.0.0:${port}`,
    `[::1]:${port}`,
  ]) {
    expect(await ask(INSIDE, { headers: { cookie, host } })).toMatchObject({ status: 403 })
    expect(await ask(new URL(newLink()).pathname, { headers: { host } })).toMatchObject({ status: 403 })
  }
  expect(await ask(INSIDE, { headers: { cookie, host: `localhost:${port}` } })).toMatchObject({ status: 404 })
})

test('behind a tunnel with another host or port the page says how to forward the port, and shows nothing else', async () => {
  const { ask, enter, origin, path: secret } = await open()
  const cookie = await enter()
  const { port } = new URL(origin)
  for (const host of ['localhost:8080', 'console-3000.tunnel.example.com']) {
    const { status, body } = await ask('/halt', { headers: { cookie, host } })
    expect(status).toBe(403)
    expect(body).toContain(`ssh -L ${port}:127.0.0.1:${port} MACHINE`)
    expect(body).toContain('sluice console --port')
    for (const unsaid of [secret, host, 'Stop sending']) expect(body).not.toContain(unsaid)
  }
})

test('a request from another page is refused, and nothing allows another origin', async () => {
  const { ask, enter, origin } = await open()
  const cookie = await enter()
  for (const other of ['https://example.com', 'null', 'http://127.0.0.1:1', origin.replace('http:', 'https:')])
    expect(await ask(INSIDE, { headers: { cookie, origin: other } })).toMatchObject({ status: 403 })
  for (const site of ['cross-site', 'same-site'])
    expect(await ask(INSIDE, { headers: { cookie, 'sec-fetch-site': site } })).toMatchObject({ status: 403 })
  const preflight = await ask('/halt', {
    method: 'OPTIONS',
    headers: { cookie, origin, 'access-control-request-method': 'POST' },
  })
  expect(preflight.status).toBe(405)
  expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
})

test("a form without its session's token, without an origin, or of another kind changes nothing", async () => {
  const opened = await open()
  const { ask } = opened
  const { own } = await insideOf(opened)
  const post = (headers: Record<string, string>, body: string) => ask('/audit', { method: 'POST', headers, body })
  expect(await post(own, '')).toMatchObject({ status: 403 })
  expect(await post(own, 'token=guessed')).toMatchObject({ status: 403 })
  const other = await insideOf(opened)
  const { origin: _origin, ...nameless } = own
  expect(await post(nameless, 'token=guessed')).toMatchObject({ status: 403 })
  expect(await post({ ...own, 'content-type': 'application/json' }, '{}')).toMatchObject({ status: 415 })
  expect(await post({ ...own, 'content-type': 'text/plain' }, 'token=x')).toMatchObject({ status: 415 })
  expect(await ask('/audit', { method: 'PUT', headers: own })).toMatchObject({ status: 405 })
  expect(other.cookie).not.toBe(own.cookie)
})

test('a form or a head that is too long is not read', async () => {
  const opened = await open()
  const { own } = await insideOf(opened)
  const body = `token=${'x'.repeat(17_000)}`
  expect(await opened.ask('/halt', { method: 'POST', headers: own, body })).toMatchObject({ status: 413 })
  expect(await opened.ask('/', { headers: { cookie: 'x'.repeat(20_000) } })).toMatchObject({ status: 431 })
})

test('every answer restricts content to this server: scripts and styles of its files only, no frame, no other host', async () => {
  const opened = await open()
  const { cookie } = await insideOf(opened)
  for (const page of ['/', '/nothing', '/assets/console.js', '/open/guessed']) {
    const { headers } = await opened.ask(page, { headers: { cookie } })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe|https?:|\*|data:/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
  }
})

test('the console listens on 127.0.0.1 alone', async () => {
  const { newLink } = await open()
  expect(new URL(newLink()).hostname).toBe('127.0.0.1')
})

test('before any run a page says so, with the next step', async () => {
  const opened = await open()
  const { cookie } = await insideOf(opened)
  const { status, body } = await opened.ask('/', { headers: { cookie } })
  expect(status).toBe(502)
  expect(body).toContain('keeps no runs against the built-in sandbox')
  expect(body).not.toMatch(/<script>|style=|onclick/)
})

test('a missing item has no page, and an unknown topic is not followed', async () => {
  const opened = await open()
  const { cookie } = await insideOf(opened)
  for (const page of ['/acts/1', '/service/secrets', '/live?topic=__proto__', '/live?topic=constructor:x'])
    expect(await opened.ask(page, { headers: { cookie } })).toMatchObject({ status: 404 })
  expect(await opened.ask('/assets/../console.ts', { headers: { cookie } })).toMatchObject({ status: 401 })
})

/** Connections of another program on this machine, which sends nothing and keeps them open. */
async function crowd(origin: string, count: number): Promise<void> {
  const { hostname, port } = new URL(origin)
  const sockets = Array.from({ length: count }, () => connect({ host: hostname, port: Number(port) }))
  for (const socket of sockets) socket.on('error', () => undefined).resume()
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(sockets.map((socket) => once(socket, 'connect').catch(() => undefined)))
  // The console has seen all of them once it has closed those beyond the limit.
  await expect.poll(() => sockets.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(count - 256)
}

test('a crowd of silent connections excludes nobody with a session', async () => {
  const { ask, enter, origin } = await open()
  const cookie = await enter()
  await crowd(origin, 400)
  const statuses: unknown[] = []
  for (let nth = 0; nth < 66; nth++) {
    await crowd(origin, 10)
    statuses.push(await ask(INSIDE, { headers: { cookie } }).then(({ status }) => status, String))
  }
  expect(statuses).toEqual(Array.from({ length: 66 }, () => 404))
})

test('a crowd leaves room for the link, and the connection that has shown the session stays open', async () => {
  const { enter, origin, path: secret } = await open()
  await crowd(origin, 400)
  const cookie = await enter()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const socketOf = async (): Promise<Socket> => {
    const [response] = (await once(get(`${origin}${secret}${INSIDE}`, { agent, headers: { cookie } }), 'response')) as [
      IncomingMessage,
    ]
    const { socket } = response
    await once(response.resume(), 'end')
    return socket
  }
  const socket = await socketOf()
  await crowd(origin, 400)
  expect(socket.destroyed).toBe(false)
  expect(await socketOf()).toBe(socket)
})
