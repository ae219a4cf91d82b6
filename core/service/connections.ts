// Owns the keep-alive connections to the service: how many, and which of them are fresh enough
// to carry a request. Lambda freezes between invocations, so an idle connection may have been
// closed by the other side without this process having noticed; a send on it would be in doubt
// for nothing. It knows nothing of requests.
import type * as http from 'node:http'
import * as https from 'node:https'
import type { Duplex } from 'node:stream'
import type { Clock } from '../clock.ts'
import { Agent } from './node-http.ts'

/** What may be set on the agent. Certificate checks are not among it: they stay at their defaults. */
export type AgentOptions = Pick<https.AgentOptions, 'ca' | 'maxSockets'>

/** An idle connection older than this is closed, not reused. Servers commonly close at 5 s and more. */
const REUSE_WITHIN_MS = 2_000
const MAX_SOCKETS = 32

export interface Connections {
  readonly agent: http.Agent | https.Agent
  /** Call before each request: what has idled too long is closed, so that the request cannot meet it. */
  closeStale(): void
  /** Closes everything, also what is in use. */
  close(): void
}

export function createConnections(protocol: string, clock: Clock, options: AgentOptions = {}): Connections {
  const settings = { keepAlive: true, maxSockets: MAX_SOCKETS, ...options }
  const agent = protocol === 'https:' ? new https.Agent(settings) : new Agent(settings)
  const idleSinceMs = new WeakMap<Duplex, number>()

  const keepSocketAlive = agent.keepSocketAlive.bind(agent)
  // The agent asks this when a connection falls idle; `free` itself comes too late to be told apart.
  agent.keepSocketAlive = (socket) => {
    idleSinceMs.set(socket, clock.nowMs())
    return keepSocketAlive(socket)
  }

  function closeStale(): void {
    const nowMs = clock.nowMs()
    for (const sockets of Object.values(agent.freeSockets)) {
      for (const socket of sockets ?? []) {
        const idleMs = nowMs - (idleSinceMs.get(socket) ?? Number.NEGATIVE_INFINITY)
        // A negative age means that the clock was set back: nothing is known about this connection.
        if (idleMs < 0 || idleMs > REUSE_WITHIN_MS) socket.destroy()
      }
    }
  }

  return { agent, closeStale, close: () => agent.destroy() }
}
