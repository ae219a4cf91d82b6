// Writes answers as a broken gateway or network would: the status stays, but the body or its media type is damaged.
// Every answer ends within the time and size given here.
import type { ServerResponse } from 'node:http'
import type { Reply } from '../service.ts'
import type { Mangling } from './rules.ts'

const HUGE_BYTES = 16 * 1024 * 1024
const CHUNK = Buffer.alloc(64 * 1024, 'x')
/** Total time of a slow answer when the fault gives no time, and the number of its pieces. */
const DRIP_MS = 5_000
const DRIPS = 50

type Headers = Record<string, string | number>
type Write = (response: ServerResponse, reply: Reply, headers: Headers, mangling: Mangling) => void

const WRITERS: Readonly<Record<Mangling['how'], Write>> = {
  malformed: (response, reply, headers) => writeWhole(response, reply, headers, `${reply.body.slice(0, -1)},,`),
  empty: (response, reply, headers) => writeWhole(response, reply, headers, ''),
  html: (response, reply, headers) =>
    writeWhole(response, reply, { ...headers, 'content-type': 'text/html' }, '<html><body>Bad gateway</body></html>'),
  cutOff: (response, reply, headers) => {
    response.writeHead(reply.status, headers)
    response.write(reply.body.slice(0, Math.floor(reply.body.length / 2)), () => response.socket?.destroy())
  },
  huge: (response, reply, headers) => {
    response.writeHead(reply.status, { ...headers, 'content-length': HUGE_BYTES })
    writeHuge(response, HUGE_BYTES)
  },
  slowDrip: (response, reply, headers, { ms = DRIP_MS }) => {
    response.writeHead(reply.status, headers)
    writeSlowly(response, Buffer.from(reply.body), 0, ms / DRIPS)
  },
  asJson: (response, reply, headers) =>
    writeWhole(response, reply, { ...headers, 'content-type': 'application/json; charset=utf-8' }, reply.body),
}

export function mangle(mangling: Mangling, response: ServerResponse, reply: Reply, headers: Headers): void {
  WRITERS[mangling.how](response, reply, headers, mangling)
}

function writeWhole(response: ServerResponse, reply: Reply, headers: Headers, body: string): void {
  response.writeHead(reply.status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function writeHuge(response: ServerResponse, left: number): void {
  if (response.destroyed) return
  if (left <= 0) response.end()
  else response.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)), () => writeHuge(response, left - CHUNK.length))
}

function writeSlowly(response: ServerResponse, body: Buffer, from: number, pauseMs: number): void {
  if (response.destroyed) return
  if (from >= body.length) {
    response.end()
    return
  }
  const to = from + Math.ceil(body.length / DRIPS)
  response.write(body.subarray(from, to))
  setTimeout(() => writeSlowly(response, body, to, pauseMs), pauseMs).unref()
}
