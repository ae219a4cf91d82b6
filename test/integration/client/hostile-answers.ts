// Answers of a gateway, a broken network or a hostile server in place of the service.
import { gzipSync } from 'node:zlib'
import { onTestFinished, vi } from 'vitest'
import type { Respond } from '../../helpers/local-server.ts'

export const LIMITS = { requestTimeoutMs: 15_000, maxBodyBytes: 64 * 1024 }

/** Runs before each test. The client's deadline then passes when an answer hangs, and never on a slow machine. */
export function holdDeadlines(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}

const DEADLINE_STEPS = 4

/** Sends the opening, and then a part every 20 ms. The client's deadline passes in steps between the parts. */
export const hangAfter =
  (opening: string, part = ''): Respond =>
  (_request, _response, socket) => {
    const passStep = () => {
      if (!socket.destroyed) vi.advanceTimersByTime(LIMITS.requestTimeoutMs / DEADLINE_STEPS)
    }
    socket.write(opening)
    const dripping = setInterval(() => {
      socket.write(part)
      // The client first reads what has arrived.
      setImmediate(passStep)
    }, 20)
    socket.on('close', () => clearInterval(dripping))
  }

export interface HostileAnswer {
  readonly what: string
  readonly respond: Respond
  /** The error code of a call that got this answer. */
  readonly code: string
  readonly status?: number
  /** The error class of a read that got this answer. */
  readonly kind: 'Transient' | 'Refused' | 'Defect'
}

const head = (status: number, contentType: string, more = '') =>
  `HTTP/1.1 ${status} X\r\ncontent-type: ${contentType}\r\n${more}\r\n`
const JSON_TYPE = 'application/json'

/** Writes until the other side closes, or 100 MB. */
const pourOut: Respond = (_request, response) => {
  response.writeHead(200, { 'content-type': JSON_TYPE })
  const chunk = Buffer.alloc(256 * 1024, ' ')
  let left = 400
  const pour = () => {
    while (left-- > 0 && !response.destroyed) if (!response.write(chunk)) return void response.once('drain', pour)
    response.end()
  }
  pour()
}

const raw =
  (text: string): Respond =>
  (_request, _response, socket) =>
    socket.end(text)

export const hostileAnswers: readonly HostileAnswer[] = [
  { what: 'a hung up socket', respond: (_q, _r, socket) => socket.destroy(), code: 'no_answer', kind: 'Transient' },
  { what: 'silence', respond: hangAfter(''), code: 'timed_out', kind: 'Transient' },
  { what: 'bytes that are no HTTP', respond: raw('SSH-2.0-OpenSSH\r\n'), code: 'no_answer', kind: 'Transient' },
  { what: 'a status line cut off', respond: raw('HTTP/1.1 20'), code: 'no_answer', kind: 'Transient' },
  {
    what: 'endless headers',
    respond: raw(`HTTP/1.1 200 OK\r\n${'x-filler: yyyyyyyyyyyyyyyyyyyy\r\n'.repeat(2_000)}\r\n`),
    code: 'no_answer',
    kind: 'Transient',
  },
  {
    what: 'an upgrade that nobody asked for',
    respond: raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    code: 'no_answer',
    kind: 'Transient',
  },
  {
    what: 'headers that drip',
    respond: hangAfter('HTTP/1.1 200 OK\r\nx-a:', ' '),
    code: 'timed_out',
    kind: 'Transient',
  },
  {
    what: 'a body that drips',
    respond: hangAfter(head(200, JSON_TYPE, 'content-length: 100000\r\n'), ' '),
    code: 'timed_out',
    status: 200,
    kind: 'Transient',
  },
  {
    what: 'a body cut off before its length',
    respond: raw(`${head(200, JSON_TYPE, 'content-length: 100\r\n')}{"id":`),
    code: 'cut_off',
    status: 200,
    kind: 'Transient',
  },
  {
    what: 'chunks without an end',
    respond: raw(`${head(200, JSON_TYPE, 'transfer-encoding: chunked\r\n')}5\r\n{"id"\r\n`),
    code: 'cut_off',
    status: 200,
    kind: 'Transient',
  },
  { what: '100 MB', respond: pourOut, code: 'body_too_large', status: 200, kind: 'Defect' },
  {
    what: 'JSON cut short',
    respond: raw(`${head(200, JSON_TYPE)}{"id":"o-1","status":"FIL`),
    code: 'not_json',
    status: 200,
    kind: 'Transient',
  },
  { what: 'no body', respond: raw(head(200, JSON_TYPE)), code: 'not_json', status: 200, kind: 'Transient' },
  {
    what: 'HTML with status 200',
    respond: raw(`${head(200, 'text/html')}<h1>Welcome</h1>`),
    code: 'not_json',
    status: 200,
    kind: 'Transient',
  },
  {
    what: 'JSON under another content type',
    respond: raw(`${head(200, 'text/plain')}{}`),
    code: 'not_json',
    status: 200,
    kind: 'Transient',
  },
  {
    what: 'a compressed body that nobody asked for',
    respond: (_request, response) =>
      response
        .writeHead(200, { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(1_000_000, ' '))),
    code: 'not_json',
    status: 200,
    kind: 'Transient',
  },
  { what: 'a 204', respond: raw(head(204, JSON_TYPE)), code: 'unexpected_status', status: 204, kind: 'Defect' },
  {
    what: 'an HTML 502',
    respond: raw(`${head(502, 'text/html')}<h1>Bad gateway</h1>`),
    code: 'not_a_problem',
    status: 502,
    kind: 'Transient',
  },
  {
    what: 'a bare 404',
    respond: raw(head(404, 'text/plain')),
    code: 'not_a_problem',
    status: 404,
    kind: 'Transient',
  },
  {
    what: "a gateway's JSON 404",
    respond: raw(`${head(404, JSON_TYPE)}{"code":"not_found"}`),
    code: 'not_a_problem',
    status: 404,
    kind: 'Transient',
  },
  {
    what: 'a problem cut off',
    respond: raw(`${head(404, 'application/problem+json', 'content-length: 99\r\n')}{"code":"not_found"}`),
    code: 'cut_off',
    status: 404,
    kind: 'Transient',
  },
  {
    what: 'a redirect',
    respond: raw(head(307, JSON_TYPE, 'location: /v2/elsewhere\r\n')),
    code: 'redirected',
    status: 307,
    kind: 'Defect',
  },
]
