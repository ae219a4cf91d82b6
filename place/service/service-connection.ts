// Opens a client of the service while some work runs. It also asks whether a failing service is in maintenance; that
// question needs no key, and is asked once.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { type ServiceKey, staticKeySource } from '../../core/keys/key-source.ts'
import { createServiceClient, type ServiceClient } from '../../core/service/service-client.ts'
import { advice } from '../next-step.ts'
import { OperationError } from '../operation-error.ts'
import { IN_MAINTENANCE, mentionsMaintenance } from '../words/maintenance.ts'

export interface Connection {
  /** Without `/v2`. */
  readonly baseUrl: string
  readonly key: ServiceKey
  readonly clock: Clock
}

/** Closes every connection when the work ends. Throws Refused for an invalid address. */
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

const READ_LIMITS = { attempts: 1, deadlineMs: 5_000 }
/** Matches the message of a server error. The error may come from a gateway in front of a service that is down. */
const ANSWERED = /\bstatus 5\d\d\b/

/** Returns the same failure, with a note where the service's health reports maintenance. */
export async function withHealth(
  error: unknown,
  { baseUrl, key, clock }: { readonly baseUrl: string; readonly key: ServiceKey; readonly clock: Clock },
): Promise<unknown> {
  if (!(error instanceof OperationError) || mentionsMaintenance(error.message) || !ANSWERED.test(error.message))
    return error
  const asked = { baseUrl, key: staticKeySource(key), clock, newId: randomUUID, readLimits: READ_LIMITS }
  const client = createServiceClient(asked)
  try {
    const { status } = await client.health()
    if (status !== 'MAINTENANCE') return error
  } catch {
    // The health is unknown, so the failure stays unchanged.
    return error
  } finally {
    client.close()
  }
  const { exitCode, code, text, next } = error
  return new OperationError({ exitCode, code, message: advice`${IN_MAINTENANCE}: ${text}`, next }, { cause: error })
}
