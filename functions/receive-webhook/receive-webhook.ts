// ReceiveWebhook: checks that the service signed a delivery, and queues the names of the policies that wait for its deposit.
// Because anybody can call it, it starts nothing, and of our data it reads only the policies. Of the delivery it keeps only the
// hash. Nothing else in the delivery is believed: a run reads balances itself.

import type { Clock } from '../../core/clock.ts'
import { type DepositStart, WebhookOutcome } from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'
import type { Policies } from '../../core/triggers/policy-start.ts'
import { findDeposit, policiesFor } from './deposit.ts'

/** A delivery byte for byte, because its bytes are signed. */
interface WebhookDelivery {
  /** Value of the signature header; `undefined` without the header. */
  readonly signature: string | undefined
  readonly body: Uint8Array
}

interface ReceiveWebhookPorts {
  /** Throws Refused for a delivery that the service did not sign, Transient when its keys cannot be read. */
  verify(delivery: { readonly signature: string; readonly body: Uint8Array }): Promise<void>
  /** SHA-256, as hex. */
  digest(bytes: Uint8Array): string
  readonly policies: Policies
  /** Resolves once the queue holds it. @throws Transient, OwnFault */
  queue(start: DepositStart): Promise<void>
  readonly clock: Pick<Clock, 'nowMs'>
}

interface WebhookReport {
  readonly outcome: WebhookOutcome
}

/** Largest body in bytes. Events have some hundred bytes, and a larger body is not even hashed. */
export const MOST_BODY_BYTES = 64 * 1024

/** @throws Transient, OwnFault, Defect; the service then delivers it again, and no run starts twice */
export async function receiveWebhook(delivery: WebhookDelivery, ports: ReceiveWebhookPorts): Promise<WebhookReport> {
  const { body, signature } = delivery
  if (body.byteLength > MOST_BODY_BYTES) return { outcome: WebhookOutcome.TooLarge }
  if (signature === undefined || !(await isGenuine({ signature, body }, ports))) {
    return { outcome: WebhookOutcome.Forged }
  }

  const deposit = findDeposit(body)
  const policies = deposit === undefined ? [] : policiesFor(deposit, ports.policies)
  if (policies.length === 0) return { outcome: WebhookOutcome.Ignored }

  const receivedAt = new Date(ports.clock.nowMs()).toISOString()
  await ports.queue({ source: 'deposit', delivery: ports.digest(body), policies, receivedAt })
  return { outcome: WebhookOutcome.Queued }
}

async function isGenuine(
  delivery: { readonly signature: string; readonly body: Uint8Array },
  { verify }: ReceiveWebhookPorts,
): Promise<boolean> {
  try {
    await verify(delivery)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}
