// A client of the service for as long as some work takes.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import { type ServiceKey, staticKeySource } from '../../../core/keys/key-source.ts'
import { createServiceClient, type ServiceClient } from '../../../core/service/service-client.ts'

export interface Connection {
  /** Without `/v2`. */
  readonly baseUrl: string
  readonly key: ServiceKey
  readonly clock: Clock
}

/** Closes every connection when the work ends. Throws Refused for an address that is none. */
export async function withConnection<Result>(
  { baseUrl, key, clock }: Connection,
  work: (client: ServiceClient) => Promise<Result>,
): Promise<Result> {
  const client = createServiceClient({ baseUrl, key: staticKeySource(key), clock, newId: randomUUID })
  try {
    return await work(client)
  } finally {
    client.close()
  }
}
