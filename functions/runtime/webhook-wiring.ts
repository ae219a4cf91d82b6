// Builds the ports of the function that is open to the internet: the check of signatures, and the queue. It is separate
// from trigger-wiring.ts, so that its bundle file can neither start runs nor use the journal.
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../core/clock.ts'
import { Defect } from '../../core/errors.ts'
import type { KeySource } from '../../core/keys/key-source.ts'
import type { ReadPatience } from '../../core/service/endure.ts'
import { createServiceClient } from '../../core/service/service-client.ts'
import { createWebhookVerifier, type VerifyWebhook } from '../../core/service/webhook-keys.ts'
import { createDepositQueue, type PutDeposit, sqsClient } from '../../core/triggers/deposit-queue.ts'
import { readDepositQueue, readServiceUrl } from './environment.ts'

export function wireDepositQueue(env: NodeJS.ProcessEnv): PutDeposit {
  return createDepositQueue(sqsClient(), readDepositQueue(env))
}

/** Key source that always throws. The published keys need no key, so this exposed function holds none. */
const NO_KEY: KeySource = {
  current: async () => {
    throw new Defect('this function has no key of the service')
  },
  forget: () => undefined,
}

/**
 * Limits of repeated reads of the keys, in milliseconds. Anybody can cause five reads a minute, and each occupies a
 * slot of the function. So they take at most 10 s of each minute.
 */
const KEYS_PATIENCE: Partial<ReadPatience> = { deadlineMs: 2_000, attemptTimeoutMs: 1_500, attempts: 2 }

export function wireWebhookVerifier(env: NodeJS.ProcessEnv): VerifyWebhook {
  const where = { baseUrl: readServiceUrl(env), key: NO_KEY, clock: systemClock }
  const client = createServiceClient({ ...where, newId: randomUUID, patience: KEYS_PATIENCE })
  return createWebhookVerifier(client.webhookKeys, systemClock)
}
