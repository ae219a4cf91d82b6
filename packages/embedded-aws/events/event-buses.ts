// The event buses: takes events in, finds the rules that match, and takes on a delivery to each of their targets.
// All of that is written down before the sender is answered.
// Source: Amazon EventBridge User Guide, "Event bus concepts".
import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import type { Deliveries } from '../delivery/deliveries.ts'
import { DEFAULT_BUS, type Entry, type EntryRefusal, eventOf, readEntries, readEntry } from './put-events.ts'
import type { EventBus, Rule } from './rule.ts'

export interface EventBusesOptions {
  readonly account: string
  readonly region: string
  readonly buses: readonly EventBus[]
  readonly rules: readonly Rule[]
  readonly deliveries: Deliveries
  readonly clock: AwsClock
  readonly newId: () => string
}

export type EntryResult = { readonly EventId: string } | EntryRefusal

export class EventBuses {
  readonly #options: EventBusesOptions
  readonly #buses: readonly EventBus[]

  constructor(options: EventBusesOptions) {
    this.#options = options
    // Every account has one.
    const arn = `arn:aws:events:${options.region}:${options.account}:event-bus/${DEFAULT_BUS}`
    this.#buses = [{ name: DEFAULT_BUS, arn }, ...options.buses]
  }

  arnOf(bus: string): string {
    const { account, region } = this.#options
    return this.#find(bus)?.arn ?? `arn:aws:events:${region}:${account}:event-bus/${bus}`
  }

  /** One result for each entry, in order. Throws ValidationException for the request as a whole. */
  put(given: unknown): readonly EntryResult[] {
    return readEntries(given).map((entry) => {
      const read = readEntry(entry)
      if ('ErrorCode' in read) return read
      if (this.#find(read.bus) !== undefined) return this.#acceptOrRefuse(read)
      return { ErrorCode: 'ResourceNotFoundException', ErrorMessage: `Event bus ${read.bus} does not exist.` }
    })
  }

  /** An event of an AWS service itself, which no caller may put. Throws ThrottlingException. */
  tell(entry: Entry): void {
    this.#accept(entry)
  }

  /** The entries before it are accepted, so that one too many must not refuse the request. */
  #acceptOrRefuse(entry: Entry): EntryResult {
    try {
      return { EventId: this.#accept(entry) }
    } catch (error) {
      if (error instanceof AwsError) return { ErrorCode: error.name, ErrorMessage: error.message }
      throw error
    }
  }

  #accept(entry: Entry): string {
    const { account, clock, deliveries, newId, region, rules } = this.#options
    const id = newId()
    const event = eventOf(entry, id, { account, region }, clock.nowMs())
    const matching = rules.filter((rule) => rule.isEnabled && rule.bus === entry.bus && rule.matches(event))
    const owed = matching.flatMap((rule) =>
      rule.targets.map(({ input, ...target }) => ({
        ...target,
        sourceArn: rule.arn,
        source: 'rule' as const,
        executionName: `${id}_${newId()}`,
        original: JSON.stringify(event),
        payload: input(event, rule),
      })),
    )
    deliveries.put(owed)
    return id
  }

  #find(name: string): EventBus | undefined {
    return this.#buses.find((bus) => bus.name === name)
  }
}
