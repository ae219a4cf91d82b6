// Defines naive variants of the product: ideas that the protocol excludes, each as a fault at a port of the steps. It has
// the ways to put a fault between a step and its port.
import { IntentState } from '../../../core/contract/records.ts'
import type { OpenIntent } from '../../../core/journal/intent.ts'
import type { RecordStore, StoredRecord, WriteOutcome } from '../../../core/journal/record-store.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import type { ServiceError } from '../../../core/service/ports.ts'
import type { Machine } from '../machine.ts'
import type { Ports, Surroundings } from '../ports.ts'
import type { WorldName } from '../schedules.ts'
import type { Untidy } from '../untidiness.ts'

export interface Naive {
  readonly about: string
  /** The world in which it is caught. */
  readonly world: WorldName
  /** The kinds of untidiness in which it is caught. Absent: all together. */
  readonly untidy?: readonly Untidy[]
  /** Schedules catch it too rarely. An exploration catches it. */
  readonly isRare?: true
  /** Changes the settings and services of the functions. */
  readonly deployed?: (surroundings: Surroundings) => Surroundings
  /** The journal's table, as one environment reaches it. */
  readonly store?: (store: RecordStore, machine: Machine) => RecordStore
  readonly ports?: (ports: Ports, machine: Machine) => Ports
  /** Changes the ports of the steps of a run. */
  readonly runPorts?: (ports: RunPorts, machine: Machine) => RunPorts
}

export type NaiveVariants = Readonly<Record<string, Naive>>

type PortsFault = NonNullable<Naive['ports']>
type StoreFault = NonNullable<Naive['store']>
type Client = Ports['service']

/** Later than every fence. */
export const PAST_EVERY_FENCE_MS = Number.MAX_SAFE_INTEGER

/** A fault of the client of the service, which reads and sends. `intent`: the intent of the present call, as last read. */
export const atClient =
  (change: (client: Client, intent: () => OpenIntent | undefined, ports: Ports) => Partial<Client>): PortsFault =>
  (ports, machine) => {
    let intent: OpenIntent | undefined
    const note = <Found>(found: Found): Found => {
      const known = found as OpenIntent | undefined
      if (known?.intentId === machine.intentId) intent = known
      return found
    }
    const journal: Ports['journal'] = {
      ...ports.journal,
      find: async (intentId, kind) => note(await ports.journal.find(intentId, kind)),
      advance: async (known, move) => note(await ports.journal.advance(known, move)),
    }
    const client = { ...ports.service, ...change(ports.service, () => intent, ports) }
    return { ...ports, journal, service: client, sender: client, terms: client }
  }

/** The time that has certainly been reached, while an attempt is in doubt. */
export const inDoubt = (reachedMs: (doubted: OpenIntent, clock: Client['clock'], ports: Ports) => number): PortsFault =>
  atClient(({ clock }, intent, ports) => ({
    clock: {
      ...clock,
      reachedMs() {
        const doubted = intent()
        return doubted?.state === IntentState.Armed ? reachedMs(doubted, clock, ports) : clock.reachedMs()
      },
    },
  }))

/** Takes the fence for passed once the service has answered so. */
export const trusting = (isTrusted: (said: ServiceError | undefined) => boolean): PortsFault =>
  inDoubt(({ attempt }, clock) =>
    attempt?.said !== undefined && isTrusted(attempt.said) ? PAST_EVERY_FENCE_MS : clock.reachedMs(),
  )

type Order = Awaited<ReturnType<Client['prepareOrder']>>
type Withdrawal = Awaited<ReturnType<Client['prepareWithdrawal']>>
type Said = { readonly kind: string; readonly said?: ServiceError }

/** `send`: sends in place of the one send. `again` signs and sends another request of the same content. */
export const sendingOrders = (
  send: (first: Order['send'], again: Order['send'], client: Client) => ReturnType<Order['send']>,
): PortsFault =>
  atClient((client) => ({
    async prepareOrder(...asked) {
      const prepared = await client.prepareOrder(...asked)
      const again = async () => (await client.prepareOrder(...asked)).send()
      return { ...prepared, send: () => send(prepared.send, again, client) }
    },
  }))

export const sendingWithdrawals = (
  send: (first: Withdrawal['send'], again: Withdrawal['send']) => ReturnType<Withdrawal['send']>,
): PortsFault =>
  atClient((client) => ({
    async prepareWithdrawal(...asked) {
      const prepared = await client.prepareWithdrawal(...asked)
      const again = async () => (await client.prepareWithdrawal(...asked)).send()
      return { ...prepared, send: () => send(prepared.send, again) }
    },
  }))

/** Sends once more after an answer of this kind. */
export const onceMore =
  (isWanted: (said: ServiceError) => boolean) =>
  async <Answer extends Said>(first: () => Promise<Answer>, again: () => Promise<Answer>): Promise<Answer> => {
    const answer = await first()
    return answer.said !== undefined && isWanted(answer.said) ? again() : answer
  }

export const atJournal =
  (change: (journal: Ports['journal'], machine: Machine) => Partial<Ports['journal']>): PortsFault =>
  (ports, machine) => ({ ...ports, journal: { ...ports.journal, ...change(ports.journal, machine) } })

/** Changes what the steps read of an attempt. */
export const forgettingOfAttempts = (change: (attempt: NonNullable<OpenIntent['attempt']>) => object): PortsFault =>
  atJournal((journal) => ({
    async find(intentId, kind) {
      const found = await journal.find(intentId, kind)
      return found?.attempt === undefined
        ? found
        : { ...found, attempt: { ...found.attempt, ...change(found.attempt) } }
    },
  }))

export const atLanes =
  (change: (lanes: Ports['lanes'], ports: Ports) => Partial<Ports['lanes']>): PortsFault =>
  (ports) => ({ ...ports, lanes: { ...ports.lanes, ...change(ports.lanes, ports) } })

export const atGuard =
  (change: (guard: Ports['guard'], ports: Ports) => Partial<Ports['guard']>): PortsFault =>
  (ports) => ({ ...ports, guard: { ...ports.guard, ...change(ports.guard, ports) } })

export const atHalts =
  (change: (halts: Ports['halts']) => Partial<Ports['halts']>): PortsFault =>
  (ports) => ({ ...ports, halts: { ...ports.halts, ...change(ports.halts) } })

/** Settings other than those that the service keeps. */
export const timed = (change: (timing: Surroundings['timing']) => Partial<Surroundings['timing']>) => ({
  deployed: (surroundings: Surroundings): Surroundings => ({
    ...surroundings,
    timing: { ...surroundings.timing, ...change(surroundings.timing) },
  }),
})

/** Changes what is read of the records whose key begins so. */
export const readingOf =
  (prefix: string, change: (record: StoredRecord, machine: Machine) => StoredRecord | undefined): StoreFault =>
  (store, machine) => ({
    ...store,
    async read(pk) {
      const record = await store.read(pk)
      return record !== undefined && pk.startsWith(prefix) ? change(record, machine) : record
    },
  })

/** Changes the outcome of the writes of records whose key begins so. */
export const writingOf =
  (prefix: string, settle: (write: () => Promise<WriteOutcome>) => Promise<WriteOutcome>): StoreFault =>
  (store) => {
    const changed = (record: StoredRecord, write: () => Promise<WriteOutcome>) =>
      record.pk.startsWith(prefix) ? settle(write) : write()
    return {
      ...store,
      create: (record) => changed(record, () => store.create(record)),
      replace: (record, version) => changed(record, () => store.replace(record, version)),
    }
  }

/** Takes a write that lost against another for one that was made. */
export const losingCompare = (prefix: string): StoreFault =>
  writingOf(prefix, async (write) => {
    await write()
    return 'written'
  })
