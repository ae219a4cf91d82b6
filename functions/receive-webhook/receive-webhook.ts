// ReceiveWebhook: of a delivery that the service signed, puts into a queue which policies wait for its deposit. It starts
// nothing, reads nothing of ours and keeps nothing of the delivery but its hash: anybody can call it. What the delivery says
// is never believed beyond that: a run reads balances itself.

import type { Clock } from '../../core/clock.ts'
import { type DepositStart, WebhookOutcome } from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'
import type { Policies } from '../../core/triggers/policy-start.ts'
import { findDeposit, policiesFor } from './deposit.ts'

/** A delivery as it came: byte for byte, because that is what is signed. */
export interface WebhookDelivery {
  /** What the signature header holds; undefined without one. */
  readonly signature: string | undefined
  readonly body: Uint8Array
}

export interface ReceiveWebhookPorts {
  /** Throws Refused for what the service did not sign, Transient where its keys cannot be read. */
  verify(delivery: { readonly signature: string; readonly body: Uint8Array }): Promise<void>
  /** SHA-256, as hex. */
  digest(bytes: Uint8Array): string
  readonly policies: Policies
  /** Resolves once the queue keeps it. @throws Transient, OwnFault */
  queue(start: DepositStart): Promise<void>
  readonly clock: Pick<Clock, 'nowMs'>
}

export interface WebhookReport {
  readonly outcome: WebhookOutcome
}

/** Events have some hundred bytes; what is larger is not even hashed. */
export const MOST_BODY_BYTES = 64 * 1024

/** @throws Transient, OwnFault, Defect: then the service delivers it again, and what was started is not started twice */
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
