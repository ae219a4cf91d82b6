// Makes a client of the service against a local server: short limits, a clock that the test moves, and counted ids.
import { onTestFinished } from 'vitest'
import { type KeySource, staticKeySource } from '../../core/keys/key-source.ts'
import type { AgentOptions } from '../../core/service/connections.ts'
import type { ReadLimits } from '../../core/service/endure.ts'
import type { TransportLimits } from '../../core/service/http.ts'
import { createServiceClient, type ServiceClient } from '../../core/service/service-client.ts'
import { type LocalServer, type Respond, startLocalServer } from './local-server.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'
import { type MadeKey, makeKey } from './service-keys.ts'

/** One key for all tests of a file, because making keys takes time. */
export const testKey: MadeKey = makeKey('Canary7Secret')

export interface SetUp {
  readonly server: LocalServer
  readonly client: ServiceClient
  readonly clock: ManualClock
}

export interface SetUpOptions {
  readonly key?: KeySource
  readonly limits?: Partial<TransportLimits>
  readonly agentOptions?: AgentOptions
  /** One attempt by default, so that each answer is tested alone. */
  readonly readLimits?: Partial<ReadLimits>
  readonly basePath?: string
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** Both are closed when the test ends. */
export async function setUpClient(respond: Respond, options: SetUpOptions = {}): Promise<SetUp> {
  const server = await startLocalServer(respond, options.tls)
  const clock = manualClock()
  let ids = 0
  const client = createServiceClient({
    baseUrl: server.baseUrl + (options.basePath ?? ''),
    key: options.key ?? staticKeySource(testKey.key),
    clock,
    newId: () => `nonce-${++ids}`,
    random: () => 0.5,
    readLimits: options.readLimits ?? { attempts: 1 },
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.agentOptions === undefined ? {} : { agentOptions: options.agentOptions }),
  })
  onTestFinished(async () => {
    client.close()
    await server.stop()
  })
  return { server, client, clock }
}

/** Answers `GET /v2/time` with the start of the manual clock, in body and header, and leaves all else to `respond`. */
export function withTime(respond: Respond): Respond {
  return (request, response, socket) => {
    if (!request.target.endsWith('/v2/time')) return respond(request, response, socket)
    response
      .writeHead(200, { 'content-type': 'application/json', date: 'Sat, 31 Jan 2026 09:00:00 GMT' })
      .end(JSON.stringify({ now: '2026-01-31T09:00:00.000Z' }))
  }
}
