// Handler of the webhooks' address: wires its clients, passes the delivery to the decision, and answers the outcome in
// HTTP.
import { createHash } from 'node:crypto'
import { systemClock } from '../../core/clock.ts'
import { Verb } from '../../core/contract/states.ts'
import { WebhookOutcome, webhookRequest } from '../../core/contract/triggers.ts'
import { OwnFault, Transient } from '../../core/errors.ts'
import { readTreasuryFile, readWebhookHeader } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireDepositQueue, wireWebhookVerifier } from '../runtime/webhook-wiring.ts'
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
    queue: wireDepositQueue(env),
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
