// Opens the console: a server on 127.0.0.1 alone, with bounds on what it reads and how many may ask. It gives links that
// are good once. It is loaded only when a console is opened.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { serve } from '@hono/node-server'
import { Connections, MOST_STRANGERS } from '@sluice/embedded-aws'
import type { OperationContext } from '../operations/context.ts'
import { readOverview } from '../operations/overview/overview.ts'
import type { ConnectionFlags } from '../operations/words/command-line.ts'
import { createActs } from './acts.ts'
import { createApp } from './app.ts'
import { createLooks } from './looks.ts'
import { createSessions } from './session.ts'

interface ConsoleOptions {
  readonly flags: ConnectionFlags
  readonly context: OperationContext
  /** Zero: any free one. */
  readonly port: number
  /** Ends what the console does in the background. */
  readonly signal: AbortSignal
  /** The text of the key file, where it came on standard input. */
  readonly keys?: string | undefined
}

export interface OpenConsole {
  /** A new link, good once. The one of before is good no more. */
  newLink(): string
  stop(): Promise<void>
}

const HEADER_BYTES = 16 * 1024
const HEADERS_WITHIN_MS = 10_000
const REQUEST_WITHIN_MS = 20_000
/** With a session. Browsers open six for a host, and each page that is live keeps one. */
const MOST_KNOWN = 96

/** Between two rounds of looks. AWS bounds how often it is asked. */
const REST_MS = { desk: 400, aws: 2_000 }
/** How much longer than a round the rest is. */
const REST_SHARE = 2

export async function openConsole({ flags, context, port, signal, keys }: ConsoleOptions): Promise<OpenConsole> {
  const { clock } = context
  const stopping = new AbortController()
  const ended = AbortSignal.any([signal, stopping.signal])
  const own: OperationContext = {
    ...context,
    // Operations take no signals of their own here: they end with the console.
    catchInterruption: () => ended,
    // Each operation reads the key file anew.
    get stdin() {
      return Readable.from(keys === undefined ? [] : [keys])
    },
  }
  const reader = { flags, context: own }
  const sessions = createSessions(() => clock.nowMs())
  const looks = createLooks(clock, ended, flags.aws === true ? REST_MS.aws : REST_MS.desk, REST_SHARE)
  const acts = createActs(clock, () => looks.touch())
  const connections = new Connections()
  let openPort = port
  const app = createApp({
    reader,
    looks,
    acts,
    sessions,
    portOf: () => openPort,
    keep: (socket) => connections.keep(socket),
    signal: ended,
  })
  const server = serve({
    fetch: app.fetch,
    hostname: '127.0.0.1',
    port,
    createServer,
    serverOptions: {
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: HEADERS_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
    },
  }) as Server
  // Any program on this machine may connect. Those that show no session make room for each other, and take none of the
  // room of those that do.
  server.maxConnections = MOST_KNOWN + MOST_STRANGERS
  server.on('connection', (socket: Socket) => connections.admit(socket))
  if (!server.listening) await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('a server on a port has one')
  openPort = address.port
  // The first look takes twice as long as any other, because code is loaded for it. It is over before a person has
  // opened the link. What is wrong with it, the page says.
  const firstLook = readOverview(reader).catch(() => undefined)
  return {
    newLink: () => `http://127.0.0.1:${openPort}/open/${sessions.newToken()}`,
    async stop() {
      stopping.abort()
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
      await firstLook
    },
  }
}
