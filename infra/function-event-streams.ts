// In the place of the SDK's event streams, which it loads with every client, and with them zlib. No command that a
// function sends has one.

/** The name that the SDK's protocols import. */
export class EventStreamSerde {
  constructor() {
    throw new Error('a function has no event streams: see infra/function-event-streams.ts')
  }
}
