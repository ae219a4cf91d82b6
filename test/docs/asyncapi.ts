// Describes the events on the bus as one AsyncAPI document, for generators in other languages. Each message refers to the
// JSON Schema of its detail, which is beside the document.
// Source: AsyncAPI 3.0.0; Amazon EventBridge, "Events" (the envelope).
import {
  APPROVAL_AWAITED,
  EVENT_BUS,
  EVENT_SOURCE,
  EVENT_VERSION,
  FILE_REFUSED,
  RequestEvent,
  ResultEvent,
  SwitchEvent,
} from '../../core/contract/events.ts'

export const ASYNCAPI_FILE = 'asyncapi.json'

const REQUESTS: Readonly<Record<RequestEvent, string>> = {
  [RequestEvent.Conversion]: 'Requests one conversion.',
  [RequestEvent.Withdrawal]: 'Requests one withdrawal.',
  [RequestEvent.Sweep]: 'Requests a run of a policy that withdraws.',
  [RequestEvent.Rebalance]: 'Requests a run of a policy that converts.',
}

const ANNOUNCEMENTS: Readonly<
  Record<ResultEvent | SwitchEvent | typeof APPROVAL_AWAITED | typeof FILE_REFUSED, string>
> = {
  [ResultEvent.Conversion]: 'Reports the end of a conversion.',
  [ResultEvent.Withdrawal]: 'Reports the end of a withdrawal.',
  [ResultEvent.Run]: 'Reports the end of a run of a policy.',
  [APPROVAL_AWAITED]: 'Reports that a movement waits until people approve it.',
  [FILE_REFUSED]: 'Reports that a payout file in S3 was refused, with its findings by line.',
  [SwitchEvent.Halted]: 'Reports a halt.',
  [SwitchEvent.Resumed]: 'Reports the end of a halt.',
}

/** Name of the schema of an event's detail. */
export function schemaFileOf(detailType: string): string {
  return `${detailType.toLowerCase().replaceAll(' ', '-')}.schema.json`
}

/** The text of the document. */
export function asyncApiText(): string {
  const messages = { ...REQUESTS, ...ANNOUNCEMENTS }
  const references = (names: object) =>
    Object.keys(names).map((name) => ({ $ref: `#/channels/bus/messages/${keyOf(name)}` }))
  const document = {
    asyncapi: '3.0.0',
    info: {
      title: 'Events of Sluice',
      version: `${EVENT_VERSION}.0.0`,
      description:
        'Other services ask for movements with events on the bus, and receive the ends there. A field may be added to an announcement at any time: ignore unknown fields. README.md beside this document has the rules.',
      license: { name: 'MIT' },
    },
    defaultContentType: 'application/json',
    channels: {
      bus: {
        address: EVENT_BUS,
        title: 'The EventBridge bus',
        description: 'In an environment its name begins with the environment.',
        messages: Object.fromEntries(
          Object.keys(messages).map((name) => [keyOf(name), { $ref: `#/components/messages/${keyOf(name)}` }]),
        ),
      },
    },
    operations: {
      receiveRequest: {
        action: 'receive',
        channel: { $ref: '#/channels/bus' },
        summary: 'Sluice takes a request. The same id is the same request, however often it is put or delivered.',
        messages: references(REQUESTS),
      },
      sendAnnouncement: {
        action: 'send',
        channel: { $ref: '#/channels/bus' },
        summary: 'Sluice announces an end, a wait or a halt, at best effort and perhaps more than once.',
        messages: references(ANNOUNCEMENTS),
      },
    },
    components: {
      messages: Object.fromEntries(
        Object.entries(messages).map(([name, summary]) => [keyOf(name), messageOf(name, summary)]),
      ),
    },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

/** `Conversion Requested` is `ConversionRequested`. */
function keyOf(detailType: string): string {
  return detailType.replaceAll(' ', '')
}

function messageOf(detailType: string, summary: string): object {
  const isRequest = Object.hasOwn(REQUESTS, detailType)
  return {
    name: detailType,
    title: detailType,
    summary,
    payload: {
      type: 'object',
      required: ['source', 'detail-type', 'detail'],
      properties: {
        source: isRequest ? { type: 'string', not: { const: EVENT_SOURCE } } : { const: EVENT_SOURCE },
        'detail-type': { const: detailType },
        detail: { $ref: `./${schemaFileOf(detailType)}` },
      },
    },
  }
}
