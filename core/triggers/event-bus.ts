// Puts one event on the bus. EventBridge may deliver it more than once, and the caller may put it more than once.
// Source: EventBridge API reference, PutEvents.
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { awsFault } from '../aws-fault.ts'
import { EVENT_SOURCE } from '../contract/events.ts'
import { Transient } from '../errors.ts'
import { AWS_LIMITS, type AwsLimits, requestLimits } from '../keys/aws-limits.ts'

export interface BusEvent {
  readonly detailType: string
  readonly detail: unknown
  /** Epoch ms. */
  readonly timeMs: number
  /** The execution that the event is about, if any. */
  readonly executionArn?: string
}

/** A client that stops in time. Its address and credentials come from the environment. */
export function eventBridgeClient(limits: AwsLimits = AWS_LIMITS): EventBridgeClient {
  return new EventBridgeClient(requestLimits(limits))
}

/** @throws Transient, OwnFault with the error of EventBridge */
export function createBus(client: EventBridgeClient, busName: string): (event: BusEvent) => Promise<void> {
  return async ({ detailType, detail, timeMs, executionArn }) => {
    const entry = {
      EventBusName: busName,
      Source: EVENT_SOURCE,
      DetailType: detailType,
      Detail: JSON.stringify(detail),
      Time: new Date(timeMs),
      ...(executionArn !== undefined && { Resources: [executionArn] }),
    }
    const answer = await client.send(new PutEventsCommand({ Entries: [entry] })).catch((error: unknown) => {
      throw awsFault('EventBridge did not take an event', error)
    })
    // A successful answer can still refuse an entry.
    if (answer.FailedEntryCount === 0) return
    throw new Transient(`EventBridge did not take an event (${answer.Entries?.[0]?.ErrorCode ?? 'no reason given'})`)
  }
}
