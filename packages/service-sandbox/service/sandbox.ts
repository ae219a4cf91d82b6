// Starts and stops a sandbox: an independent implementation of the service API v2 on 127.0.0.1,
// and the witness that counts what moved. Shares no code with the client that it is a witness of.
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
/** How often what has fallen due is looked for, where webhooks report it. */
const TICK_MS = 100

export interface SandboxOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** The same seed gives the same assets, keys, contacts, balances and prices. */
  readonly seed?: string
  /** Where the world is kept, so that it survives kill -9 and a power cut. Its own seed wins over `seed`. */
  readonly stateFile?: string
  /** What service time starts from; control calls add to it. */
  readonly clock?: WallClock
  /** How the service behaves when no rule says otherwise: the state file's where it has one, else `prompt`. */
  readonly profile?: ProfileName
  /** On top of the profile's. Kept in the state file, with the profile. */
  readonly manners?: Partial<Manners>
  /** Where webhook events are delivered to. */
  readonly webhookUrl?: string
  /** Called before the service sees a request of its API: what happens there happens between two steps of a client. */
  readonly onRequest?: (method: string, path: string) => void
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
  /** A call of the control API from within the process: it takes no time, not even that of a socket. */
  control(method: string, path: string, body?: object): unknown
  /** Closes every socket and the state file; a second call waits for the first. */
  stop(): Promise<void>
}

/** Rejects with EADDRINUSE when the port is taken, and on a state file that is not one. */
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

/** Those asked for now, else those that the world was kept with. */
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

/** The world, from its file where there is one; what happens from then on is kept there, and delivered. */
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
      // Where the disk fails, whoever asks is told; an event is best effort.
      else stored.log.untilSynced().then(deliver, () => {})
    },
  })
  for (const line of stored?.lines ?? []) world.apply(decodeFact(line))
  // Without a request nothing asks what is due; events should not have to wait for one.
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
