// Starts and stops a sandbox: an independent implementation of the service API v2 on 127.0.0.1, and the witness of what
// moved. It shares no code with the client.
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import { CONTROL_PATH, control } from './control/control.ts'
import { Rules } from './control/rules.ts'
import { decodeFact, encodeFact } from './facts.ts'
import { createHttpServer } from './http-server.ts'
import type { KeyName, SandboxKey } from './keys.ts'
import { type Manners, TIDY } from './manners/manners.ts'
import { type Pace, PROFILES, type Profile, type ProfileName } from './profiles.ts'
import { RequestLog } from './request-log.ts'
import { Service } from './service.ts'
import { StateLog } from './state-log.ts'
import { WebhookDeliveries } from './webhooks/webhook-deliveries.ts'
import { eventsOf } from './webhooks/webhook-events.ts'
import { type WallClock, World } from './world.ts'

export type { SandboxKey } from './keys.ts'

const DEFAULT_SEED = 'sluice'
/** How often due events are checked for, where webhooks report them, in milliseconds. */
const TICK_MS = 100

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** The same seed gives the same assets, keys, contacts, balances and prices. */
  readonly seed?: string
  /** The file that keeps the world through kill -9 and a power cut. The file's seed wins over `seed`. */
  readonly stateFile?: string
  /** The clock under service time; control calls add to it. */
  readonly clock?: WallClock
  /** How the service behaves when no rule says otherwise: the state file's profile if it has one, else `prompt`. */
  readonly profile?: ProfileName
  /** Added to the profile's manners. Kept in the state file, with the profile. */
  readonly manners?: Partial<Manners>
  /** The address that gets webhook events. */
  readonly webhookUrl?: string
  /** Called before the service sees a request of its API. What it does happens between two steps of a client. */
  readonly onRequest?: (method: string, path: string) => void
  /** Receives one line for each request, without secrets. */
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
  /** The API's paths are /v2/… under this address. */
  readonly baseUrl: string
  readonly controlUrl: string
  readonly keys: Readonly<Record<KeyName, SandboxKey>>
  readonly contacts: readonly SandboxContact[]
  /** Calls the control API in this process, without a socket. */
  control(method: string, path: string, body?: object): unknown
  /** Closes every socket and the state file. A second call waits for the first. */
  stop(): Promise<void>
}

/** Rejects with EADDRINUSE when the port is taken, and for a file that is not a state file. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const clock = options.clock ?? { nowMs: () => Date.now() }
  const log = options.log ?? (() => {})
  const { pace }: Profile = PROFILES[options.profile ?? 'prompt']
  const { world, webhooks, stateLog, close } = openWorld(options, clock, pace)
  setManners(world, options)
  const profile = PROFILES[options.profile ?? (world.profile as ProfileName | undefined) ?? 'prompt']
  const service = new Service(world, (error) => log(`defect: ${error instanceof Error ? error.stack : String(error)}`))
  const rules = new Rules(world.origin.seed)
  for (const rule of profile.rules) rules.add(rule)
  const { onRequest = () => {} } = options
  const controlled = { world, rules, requests: new RequestLog(), webhooks }
  const server = createHttpServer({ ...controlled, service, stateLog, log, onRequest })
  try {
    await listen(server, options.port ?? 0)
  } catch (error) {
    await close()
    throw error
  }
  let stopped: Promise<void> | undefined
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    server.closeAllConnections()
    await closed
    await close()
  }
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    controlUrl: baseUrl + CONTROL_PATH,
    keys: world.keys.issued(),
    contacts: [...world.contacts.values()].map(listed),
    control: (method, path, body = {}) => control(controlled, method, CONTROL_PATH + path, bytesOf(body)),
    stop: () => {
      stopped ??= stop()
      return stopped
    },
  }
}

function bytesOf(body: object): Buffer {
  return Buffer.from(JSON.stringify(body))
}

/** Sets the manners asked for now. Without any, the world keeps its own. */
function setManners(world: World, { profile, manners }: SandboxOptions): void {
  if (profile === undefined && manners === undefined) return
  const { manners: own = {} }: Profile = PROFILES[profile ?? 'prompt']
  const wanted = { ...TIDY, ...own, ...manners }
  if (isDeepStrictEqual(wanted, world.manners)) return
  world.commit({ kind: 'manners.set', manners: wanted, ...(profile !== undefined && { profile }) })
}

function listed({ id, reference, type, assetSymbol, networkId }: SandboxContact): SandboxContact {
  return { id, reference, type, assetSymbol, networkId }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
}

interface OpenWorld {
  readonly world: World
  readonly webhooks: WebhookDeliveries | undefined
  readonly stateLog: StateLog | undefined
  close(): Promise<void>
}

/** Opens the world from its file, if it has one. Later facts are kept there, and events delivered. */
function openWorld({ seed, stateFile, webhookUrl }: SandboxOptions, clock: WallClock, pace: Pace): OpenWorld {
  const fresh = { seed: seed ?? DEFAULT_SEED, openedAtMs: clock.nowMs() }
  const stored = stateFile === undefined ? undefined : StateLog.open(stateFile, fresh)
  const { seed: ownSeed } = stored?.origin ?? fresh
  const webhooks = webhookUrl === undefined ? undefined : new WebhookDeliveries(webhookUrl, ownSeed)
  const world: World = new World(stored?.origin ?? fresh, clock, pace, {
    record: (fact) => stored?.log.append(encodeFact(fact)),
    report: (fact) => {
      if (webhooks === undefined) return
      const events = eventsOf(fact, world)
      const deliver = () => {
        for (const event of events) webhooks.deliver(event)
      }
      if (stored === undefined) deliver()
      // When the disk fails, the caller gets an error; events are best effort.
      else stored.log.untilSynced().then(deliver, () => {})
    },
  })
  for (const line of stored?.lines ?? []) world.apply(decodeFact(line))
  // Without requests nothing checks what is due, and events should not wait for a request.
  const ticking = webhooks && setInterval(() => world.settleDue(world.nowMs()), TICK_MS).unref()
  return {
    world,
    webhooks,
    stateLog: stored?.log,
    close: async () => {
      clearInterval(ticking)
      webhooks?.stop()
      await stored?.log.close()
    },
  }
}
