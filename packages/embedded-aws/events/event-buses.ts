// Runs the event buses: they accept events, find the matching rules, and accept a delivery for each of their targets.
// All of it is on disk before the sender gets an answer. Answers PutEvents on the wire (AWS JSON 1.1). Source: Amazon
// EventBridge User Guide, "Event bus concepts".

import { AwsError } from '../aws-error.ts'
import type { AwsClock } from '../clock.ts'
import type { Deliveries } from '../delivery/deliveries.ts'
import type { Endpoint } from '../endpoint/endpoint.ts'
import { isObject } from '../fields.ts'
import type { EventBus, Rule } from './event-pattern.ts'
import { busName, DEFAULT_BUS, type Entry, type EntryRefusal, eventOf, readEntries, readEntry } from './put-events.ts'

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
    // Every account has a default bus.
    const arn = `arn:aws:events:${options.region}:${options.account}:event-bus/${DEFAULT_BUS}`
    this.#buses = [{ name: DEFAULT_BUS, arn }, ...options.buses]
  }

  arnOf(bus: string): string {
    const { account, region } = this.#options
    return this.#find(bus)?.arn ?? `arn:aws:events:${region}:${account}:event-bus/${bus}`
  }

  /** Returns one result for each entry, in order. Throws ValidationException for the whole request. */
  put(given: unknown): readonly EntryResult[] {
    return readEntries(given).map((entry) => {
      const read = readEntry(entry)
      if ('ErrorCode' in read) return read
      if (this.#find(read.bus) !== undefined) return this.#acceptOrRefuse(read)
      return { ErrorCode: 'ResourceNotFoundException', ErrorMessage: `Event bus ${read.bus} does not exist.` }
    })
  }

  /** Accepts an event of an AWS service itself, which no caller may put. Throws ThrottlingException. */
  report(entry: Entry): void {
    this.#accept(entry)
  }

  /** Refuses one entry alone, because earlier entries of the request are accepted already. */
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
    const accepted = matching.flatMap((rule) =>
      rule.targets.map(({ input, ...target }) => ({
        ...target,
        sourceArn: rule.arn,
        source: 'rule' as const,
        executionName: `${id}_${newId()}`,
        original: JSON.stringify(event),
        payload: input(event, rule),
      })),
    )
    deliveries.put(accepted)
    return id
  }

  #find(name: string): EventBus | undefined {
    return this.#buses.find((bus) => bus.name === name)
  }
}

export function eventsEndpoint(buses: EventBuses): Endpoint {
  return {
    service: 'events',
    targetPrefix: 'AWSEvents',
    contentType: 'application/x-amz-json-1.1',
    permissionsFor(name, body) {
      if (name !== 'PutEvents') return undefined
      const entries: readonly unknown[] = Array.isArray(body.Entries) ? body.Entries : []
      return entries.map((entry) => {
        const { DetailType, EventBusName, Source } = isObject(entry) ? entry : {}
        return {
          action: 'events:PutEvents',
          resource: buses.arnOf(busName(EventBusName)),
          conditions: {
            ...(typeof Source === 'string' && { 'events:source': Source }),
            ...(typeof DetailType === 'string' && { 'events:detail-type': DetailType }),
          },
        }
      })
    },
    async perform(_name, body) {
      const results = buses.put(body.Entries)
      return {
        FailedEntryCount: results.filter((result) => 'ErrorCode' in result).length,
        Entries: results,
      }
    },
  }
}
