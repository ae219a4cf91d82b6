// Owns the keep-alive connections to the service: how many there are, and which are fresh enough for a request. Lambda
// freezes between invocations. Meanwhile the other side may close an idle connection without this process noticing. A
// send on that connection would be in doubt for no reason. Knows nothing of requests.
import type * as http from 'node:http'
import type * as https from 'node:https'
import type { Duplex } from 'node:stream'
import type { Clock } from '../clock.ts'

/** Agent options that a caller may set. Certificate checks stay at their defaults. */
export type AgentOptions = Pick<https.AgentOptions, 'ca' | 'maxSockets'>

/**
 * Milliseconds after which an idle connection is closed instead of reused. Servers commonly close theirs after 5 s or
 * more.
 */
const REUSE_WITHIN_MS = 2_000
const MAX_SOCKETS = 32

export interface Connections {
  readonly agent: http.Agent | https.Agent
  /** Closes connections that were idle too long. Call it before each request. */
  closeStale(): void
  /** Closes every connection, including those in use. */
  close(): void
}

export function createConnections(protocol: string, clock: Clock, options: AgentOptions = {}): Connections {
  const settings = { keepAlive: true, maxSockets: MAX_SOCKETS, ...options }
  const agent = protocol === 'https:' ? new (nodeHttps().Agent)(settings) : new Agent(settings)
  const idleSinceMs = new WeakMap<Duplex, number>()

  const keepSocketAlive = agent.keepSocketAlive.bind(agent)
  // The agent calls this when a connection becomes idle. Its `free` event comes later, when it may be in use again.
  agent.keepSocketAlive = (socket) => {
    idleSinceMs.set(socket, clock.nowMs())
    return keepSocketAlive(socket)
  }

  function closeStale(): void {
    const nowMs = clock.nowMs()
    for (const sockets of Object.values(agent.freeSockets)) {
      for (const socket of sockets ?? []) {
        const idleMs = nowMs - (idleSinceMs.get(socket) ?? Number.NEGATIVE_INFINITY)
        // A negative age means that the clock was set back, so the true age is unknown.
        if (idleMs < 0 || idleMs > REUSE_WITHIN_MS) socket.destroy()
      }
    }
  }

  return { agent, closeStale, close: () => agent.destroy() }
}

export const { Agent, request } = process.getBuiltinModule('node:http')

/** Gives Node's HTTPS module. It is loaded for an address with TLS alone, because that takes longer than a request. */
export function nodeHttps() {
  return process.getBuiltinModule('node:https')
}
