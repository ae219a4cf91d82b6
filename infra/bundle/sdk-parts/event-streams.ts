// Replaces the SDK's event streams, which every client loads together with zlib. No command of a function uses an event
// stream.

/** Has the name that the SDK's protocols import. */
export class EventStreamSerde {
  constructor() {
    throw new Error('a function has no event streams: see infra/bundle/sdk-parts/event-streams.ts')
  }
}

/** The client of S3 asks for these two when it starts, for a command that no function uses. */
export const eventStreamSerdeProvider = (): undefined => undefined
export const resolveEventStreamSerdeConfig = <Config>(config: Config): Config => config
