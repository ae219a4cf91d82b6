// Handler of the webhooks' address. It connects its clients, passes the delivery to receive-webhook.ts, and answers the
// outcome in HTTP. It is open to the internet. Its bundle file can neither start runs nor use the journal.
import { createHash, randomUUID } from 'node:crypto'
import { systemClock } from '../../core/clock.ts'
import { Verb } from '../../core/contract/states.ts'
import { WebhookOutcome, webhookRequest } from '../../core/contract/triggers.ts'
import { Defect, OwnFault, Transient } from '../../core/errors.ts'
import type { KeySource } from '../../core/keys/key-source.ts'
import type { ReadLimits } from '../../core/service/endure.ts'
import { createServiceClient } from '../../core/service/service-client.ts'
import { createWebhookVerifier, type VerifyWebhook } from '../../core/service/webhook-deliveries.ts'
import { createDepositQueue, sqsClient } from '../../core/triggers/queues.ts'
import { readTreasuryFile } from '../runtime/deployed-configuration.ts'
import { readDepositQueue, readServiceUrl, readWebhookHeader } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { receiveWebhook } from './receive-webhook.ts'

const STATUS: Readonly<Record<WebhookOutcome, number>> = {
  [WebhookOutcome.Queued]: 200,
  [WebhookOutcome.Ignored]: 200,
  [WebhookOutcome.Forged]: 401,
  [WebhookOutcome.TooLarge]: 413,
}

export const makeReceiveWebhookHandler: MakeHandler = (env) => {
  const header = readWebhookHeader(env).toLowerCase()
  const ports = {
    verify: wireWebhookVerifier(env),
    digest: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex'),
    policies: readTreasuryFile(env).policies,
    queue: createDepositQueue(sqsClient(), readDepositQueue(env)),
    clock: systemClock,
  }
  const receive = frameHandler(Verb.ReceiveWebhook, webhookRequest, ({ headers, body, isBase64Encoded }) =>
    receiveWebhook({ signature: headers[header], body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8') }, ports),
  )
  return async (event, context) => {
    try {
      // The frame returns the decision's result without its type.
      const { outcome } = (await receive(event, context)) as { readonly outcome: WebhookOutcome }
      return { statusCode: STATUS[outcome] }
    } catch (error) {
      // 503 asks the service to deliver it again: the fault passes, or a person fixes it. Any other error is a bug, and
      // Lambda answers 502.
      if (error instanceof Transient || error instanceof OwnFault) return { statusCode: 503 }
      throw error
    }
  }
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
const KEYS_READ_LIMITS: Partial<ReadLimits> = { deadlineMs: 2_000, attemptTimeoutMs: 1_500, attempts: 2 }

function wireWebhookVerifier(env: NodeJS.ProcessEnv): VerifyWebhook {
  const where = { baseUrl: readServiceUrl(env), key: NO_KEY, clock: systemClock }
  const client = createServiceClient({ ...where, newId: randomUUID, readLimits: KEYS_READ_LIMITS })
  return createWebhookVerifier(client.webhookKeys, systemClock)
}
