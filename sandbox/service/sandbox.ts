// Starts and stops a sandbox: an independent implementation of the service API v2 on 127.0.0.1,
// and the witness that counts what moved. Shares no code with the client that it is a witness of.
import type { AddressInfo } from 'node:net'
import { CONTROL_PATH } from './control/control.ts'
import { Rules } from './control/rules.ts'
import { decodeFact, encodeFact } from './facts.ts'
import { createHttpServer } from './http-server.ts'
import type { KeyName, SandboxKey } from './keys.ts'
import { RequestLog } from './request-log.ts'
import { Service } from './service.ts'
import { type Origin, StateLog } from './state-log.ts'
import { type WallClock, World } from './world.ts'

export type { SandboxKey } from './keys.ts'

const DEFAULT_SEED = 'sluice'

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** The same seed gives the same assets, keys, contacts, balances and prices. */
  readonly seed?: string
  /** Where the world is kept, so that it survives kill -9. Its own seed wins over `seed`. */
  readonly stateFile?: string
  /** What service time starts from; control calls add to it. */
  readonly clock?: WallClock
  /** One line a request, without secrets. */
  readonly log?: (line: string) => void
}

export interface SandboxContact {
  readonly id: string
  readonly reference: string | null
  readonly type: string
  readonly assetSymbol: string | null
  readonly networkId: string | null
}

export interface Sandbox {
  /** The API's paths are /v2/… under it. */
  readonly baseUrl: string
  readonly controlUrl: string
  readonly keys: Readonly<Record<KeyName, SandboxKey>>
  readonly contacts: readonly SandboxContact[]
  /** Closes every socket and the state file. */
  stop(): Promise<void>
}

/** Rejects with EADDRINUSE when the port is taken, and on a state file that is not one. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = options.clock ?? { nowMs: () => Date.now() }
  const log = options.log ?? (() => {})
  const { world, close } = openWorld({ seed: options.seed ?? DEFAULT_SEED, openedAtMs: clock.nowMs() }, clock, options)
  const service = new Service(world, (error) => log(`defect: ${error instanceof Error ? error.stack : String(error)}`))
  const rules = new Rules(world.origin.seed)
  const server = createHttpServer({ world, rules, requests: new RequestLog(), service, log })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(options.port ?? 0, '127.0.0.1', resolve)
    })
  } catch (error) {
    close()
    throw error
  }
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    controlUrl: baseUrl + CONTROL_PATH,
    keys: world.keys.issued,
    contacts: world.contacts.map(({ id, reference, type, assetSymbol, networkId }) => ({
      id,
      reference,
      type,
      assetSymbol,
      networkId,
    })),
    stop: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      close()
    },
  }
}

function openWorld(fresh: Origin, clock: WallClock, { stateFile }: SandboxOptions): { world: World; close(): void } {
  if (stateFile === undefined) return { world: new World(fresh, clock, () => {}), close: () => {} }
  let world: World | undefined
  const stateLog = StateLog.open(stateFile, fresh, (origin) => {
    const opened = new World(origin, clock, (fact) => stateLog.append(encodeFact(fact)))
    world = opened
    return (line) => opened.apply(decodeFact(line))
  })
  return { world: world as unknown as World, close: () => stateLog.close() }
}
