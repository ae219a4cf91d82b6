// Answers as a broken gateway or network would write them: the status stays, the body suffers.
// Every one of them ends, within the time and the size that are written here.
import type { ServerResponse } from 'node:http'
import type { Reply } from '../service.ts'
import type { Mangling } from './rules.ts'

const HUGE_BYTES = 16 * 1024 * 1024
const CHUNK = Buffer.alloc(64 * 1024, 'x')
/** A slow answer takes this long in all, in this many pieces. */
const DRIP_MS = 5_000
const DRIPS = 50

type Write = (response: ServerResponse, reply: Reply, headers: Record<string, string | number>) => void

const WAYS: Readonly<Record<Mangling, Write>> = {
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
  slowDrip: (response, reply, headers) => {
    response.writeHead(reply.status, headers)
    writeSlowly(response, Buffer.from(reply.body), 0)
  },
}

export function mangle(
  how: Mangling,
  response: ServerResponse,
  reply: Reply,
  headers: Record<string, string | number>,
): void {
  WAYS[how](response, reply, headers)
}

function writeWhole(
  response: ServerResponse,
  reply: Reply,
  headers: Record<string, string | number>,
  body: string,
): void {
  response.writeHead(reply.status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

function writeHuge(response: ServerResponse, left: number): void {
  if (response.destroyed) return
  if (left <= 0) response.end()
  else response.write(CHUNK.subarray(0, Math.min(left, CHUNK.length)), () => writeHuge(response, left - CHUNK.length))
}

function writeSlowly(response: ServerResponse, body: Buffer, from: number): void {
  if (response.destroyed) return
  if (from >= body.length) {
    response.end()
    return
  }
  const to = from + Math.ceil(body.length / DRIPS)
  response.write(body.subarray(from, to))
  setTimeout(() => writeSlowly(response, body, to), DRIP_MS / DRIPS).unref()
}
