// Whether a service that fails is in maintenance: its health answers then, and needs no key. One question, no patience.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import { type ServiceKey, staticKeySource } from '../../../core/keys/key-source.ts'
import { createServiceClient } from '../../../core/service/service-client.ts'
import { CommandError } from '../../terminal/command-error.ts'
import { IN_MAINTENANCE, saysMaintenance } from '../../terminal/maintenance.ts'

const PATIENCE = { attempts: 1, deadlineMs: 5_000 }
/** Somebody answered, with an error of the server's side: perhaps a gateway before a service that is down. */
const ANSWERED = /\bstatus 5\d\d\b/

/** The failure, with what health says of it. */
export async function withHealth(
  error: unknown,
  { baseUrl, key, clock }: { readonly baseUrl: string; readonly key: ServiceKey; readonly clock: Clock },
): Promise<unknown> {
  if (!(error instanceof CommandError) || saysMaintenance(error.message) || !ANSWERED.test(error.message)) return error
  const asked = { baseUrl, key: staticKeySource(key), clock, newId: randomUUID, patience: PATIENCE }
  const client = createServiceClient(asked)
  try {
    const { status } = await client.health()
    if (status !== 'MAINTENANCE') return error
  } catch {
    // It says nothing of itself: the failure stays what it is.
    return error
  } finally {
    client.close()
  }
  const { exitCode, code, message, next } = error
  return new CommandError({ exitCode, code, message: `${IN_MAINTENANCE}: ${message}`, next }, { cause: error })
}
