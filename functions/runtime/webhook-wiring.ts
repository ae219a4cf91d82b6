// Builds what the function that faces the internet hands to its decision: the check of a signature, and the queue. It is apart
// from trigger-wiring.ts, so that nothing that starts runs or reaches the journal is in its file of the bundle.
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

/** The published keys are read openly: whoever faces the internet holds no key of the service. */
const NO_KEY: KeySource = {
  current: async () => {
    throw new Defect('this function has no key of the service')
  },
  forget: () => undefined,
}

/**
 * Anybody can make it read the keys, five times a minute, and what waits for them holds a slot of the function: at most
 * 10 s of each minute.
 */
const KEYS_PATIENCE: Partial<ReadPatience> = { deadlineMs: 2_000, attemptTimeoutMs: 1_500, attempts: 2 }

export function wireWebhookVerifier(env: NodeJS.ProcessEnv): VerifyWebhook {
  const where = { baseUrl: readServiceUrl(env), key: NO_KEY, clock: systemClock }
  const client = createServiceClient({ ...where, newId: randomUUID, patience: KEYS_PATIENCE })
  return createWebhookVerifier(client.webhookKeys, systemClock)
}
