// Answers the EventBridge API on the wire (AWS JSON 1.1): PutEvents. Only the template creates buses and rules.
import type { Endpoint } from '../endpoint/endpoint.ts'
import { isObject } from '../fields.ts'
import type { EventBuses } from './event-buses.ts'
import { busName } from './put-events.ts'

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
