// ReceiveWebhook: a delivery that the service signed makes the policies that wait for a deposit run, each
// once. What it says is never believed beyond that: a run reads balances itself.

import type { Clock } from '../../core/clock.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { WebhookOutcome } from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'
import type { Inbox } from '../../core/journal/inbox.ts'
import { depositName } from '../../core/triggers/names.ts'
import { type Policies, policyStart } from '../../core/triggers/policy-start.ts'
import type { Starter } from '../../core/triggers/starter.ts'
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
  readonly inbox: Inbox
  readonly policies: Policies
  readonly starter: Starter
  readonly clock: Pick<Clock, 'nowMs'>
}

export interface WebhookReport {
  readonly outcome: WebhookOutcome
  readonly executions: readonly string[]
}

/** Events have some hundred bytes; what is larger is not even hashed. */
export const MOST_BODY_BYTES = 64 * 1024

/** @throws Transient, Defect: then the service delivers it again, and what was started is not started twice */
export async function receiveWebhook(delivery: WebhookDelivery, ports: ReceiveWebhookPorts): Promise<WebhookReport> {
  const { body, signature } = delivery
  if (body.byteLength > MOST_BODY_BYTES) return nothing(WebhookOutcome.TooLarge)
  if (signature === undefined || !(await isGenuine({ signature, body }, ports))) return nothing(WebhookOutcome.Forged)

  const deposit = findDeposit(body)
  const policies = deposit === undefined ? [] : policiesFor(deposit, ports.policies)
  if (policies.length === 0) return nothing(WebhookOutcome.Ignored)

  const hash = ports.digest(body)
  if (await ports.inbox.has(hash)) return nothing(WebhookOutcome.Duplicate)
  const executions: string[] = []
  for (const policy of policies) {
    const start = policyStart(depositName(policy, hash), policy, StateMachine.Rebalance, { by: 'deposit', id: hash })
    // Whatever has this name is this very start: the name holds the policy and every byte of the delivery.
    await ports.starter.start(start)
    executions.push(start.name)
  }
  await ports.inbox.put(hash, new Date(ports.clock.nowMs()).toISOString(), executions)
  return { outcome: WebhookOutcome.Started, executions }
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

function nothing(outcome: WebhookOutcome): WebhookReport {
  return { outcome, executions: [] }
}
