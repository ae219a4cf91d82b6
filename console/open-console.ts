// Opens the console: a server on 127.0.0.1 only, with limits on requests and connections. It makes links that work once. It
// is loaded only when a console is opened.

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { serve } from '@hono/node-server'
import { Connections, MOST_UNKNOWN_CONNECTIONS } from '@sluice/embedded-aws'
import type { Clock } from '../core/clock.ts'
import { readAccount, unansweredAt } from '../operations/overview/account.ts'
import type { OperationContext } from '../place/context.ts'
import type { ConnectionFlags, Spell } from '../place/next-step.ts'
import { isOnAws } from '../place/settings.ts'
import { inFormWords } from '../views/html/form-words.ts'
import { createActs } from './acts.ts'
import { createApp } from './app.ts'
import { createSessions } from './session.ts'
import { createTopicPoller } from './topic-reader.ts'
import { createTopics } from './topics.ts'

/** Time that a page waits for an answer before it is shown with the last one. In milliseconds. */
const PATIENCE_MS = 1_000
/** An older answer, such as of a key that was put right since, is not shown: the page says that the service was not heard yet. */
const LAST_KNOWN_MS = 30_000

interface Source<Data> {
  /** Never rejects. */
  readonly read: () => Promise<Data>
  /** The data of a page before the first answer. */
  readonly unanswered: () => Data
  /** An answer this young is shown again. In milliseconds. */
  readonly freshMs: number
}

/** Returns a function that resolves with an answer that is fresh, or else after PATIENCE_MS with the last one, if it is young. */
export function createLatest<Data>({ read, unanswered, freshMs }: Source<Data>, clock: Clock): () => Promise<Data> {
  let last: { readonly atMs: number; readonly data: Data } | undefined
  let reading: Promise<Data> | undefined
  const readNow = async () => {
    const data = await read()
    last = { atMs: clock.nowMs(), data }
    reading = undefined
    return data
  }
  const younger = (ageMs: number) =>
    last !== undefined && Math.abs(clock.nowMs() - last.atMs) < ageMs ? last : undefined
  return async () => {
    const fresh = younger(freshMs)
    if (fresh !== undefined) return fresh.data
    reading ??= readNow()
    return Promise.race([
      reading,
      clock.sleep(PATIENCE_MS).then(() => (younger(LAST_KNOWN_MS) ?? { data: unanswered() }).data),
    ])
  }
}

interface ConsoleOptions {
  readonly flags: ConnectionFlags
  readonly context: OperationContext
  /** Zero for any free port. */
  readonly port: number
  /** Ends the console's work in the background. */
  readonly signal: AbortSignal
  /** The text of the key file, where it came on standard input. */
  readonly keys?: string | undefined
  /** Spells what a person can only do at a terminal. */
  readonly spell: Spell
}

export interface OpenConsole {
  /** A new link, which works once. It replaces the former link. */
  newLink(): string
  stop(): Promise<void>
}

/** Limits of a request: the size of its headers, and the times for headers and for the whole request. */
const HEADER_BYTES = 16 * 1024
const HEADERS_WITHIN_MS = 10_000
const REQUEST_WITHIN_MS = 20_000
/** Maximum connections with a session. Browsers open six to a host, and each live page keeps one. */
const MOST_KNOWN = 96

/** Least time between two rounds of reads. AWS limits how often it is asked. */
const REST_MS = { desk: 400, aws: 2_000 }
/** How many times longer than its round a rest is. */
const REST_SHARE = 2
/** Time between two reads of the account. Its movements share the service's rate limit with these reads. */
const ACCOUNT_MS = { desk: 5_000, aws: 15_000 }

export async function openConsole({
  flags,
  context,
  port,
  signal,
  keys,
  spell: atTerminal,
}: ConsoleOptions): Promise<OpenConsole> {
  const { clock } = context
  const stopping = new AbortController()
  const ended = AbortSignal.any([signal, stopping.signal])
  const own: OperationContext = {
    ...context,
    // Operations take no signals here: they end with the console.
    catchInterruption: () => ended,
    // Each operation reads the key file again.
    get stdin() {
      return Readable.from(keys === undefined ? [] : [keys])
    },
  }
  const reader = { flags, context: own }
  const sessions = createSessions(() => clock.nowMs())
  const poller = createTopicPoller(clock, ended, isOnAws(flags) ? REST_MS.aws : REST_MS.desk, REST_SHARE)
  const acts = createActs(clock, () => poller.touch())
  const account = createLatest(
    {
      read: () => readAccount(reader),
      unanswered: () => unansweredAt(clock.nowMs()),
      freshMs: isOnAws(flags) ? ACCOUNT_MS.aws : ACCOUNT_MS.desk,
    },
    clock,
  )
  const topics = createTopics(reader, acts, account)
  const connections = new Connections()
  let openPort = port
  const app = createApp({
    reader,
    poller,
    topics,
    acts,
    readAccount: account,
    sessions,
    portOf: () => openPort,
    keep: (socket) => connections.keep(socket),
    signal: ended,
    // A person who filled in a form corrects its fields.
    spell: inFormWords(atTerminal),
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
  // Any program on this machine may connect. Connections without a session replace each other, and never those with one.
  server.maxConnections = MOST_KNOWN + MOST_UNKNOWN_CONNECTIONS
  server.on('connection', (socket: Socket) => connections.admit(socket))
  if (!server.listening) await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('a server on a port has one')
  openPort = address.port
  // The first read takes twice as long as a later one, because it loads code. So it is made before a person opens the link.
  // Its error is ignored here, because the page shows it.
  const firstRead = topics.overview.read().catch(() => undefined)
  return {
    newLink: () => `http://127.0.0.1:${openPort}/open/${sessions.newToken()}`,
    async stop() {
      stopping.abort()
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
      await firstRead
    },
  }
}
