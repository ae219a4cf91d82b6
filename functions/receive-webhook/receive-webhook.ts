// ReceiveWebhook: checks that the service signed a delivery, and queues the names of the policies that wait for its
// deposit. Because anybody can call it, it starts nothing, and of our data it reads only the policies. Of the delivery
// it keeps only the hash. Nothing else in the delivery is believed: a run reads balances itself. The service describes
// neither types nor payloads (section "Events"), so events are read loosely. A missed deposit delays a policy, and a
// mistaken one starts a run that finds nothing to do.
import type { Clock } from '../../core/clock.ts'
import { sameCode } from '../../core/contract/fields.ts'
import type { Policy } from '../../core/contract/policies.ts'
import { type DepositStart, WebhookOutcome } from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'
import { depositAssetOf } from '../../core/policies/kinds.ts'
import type { Policies } from '../../core/triggers/policy-start.ts'

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

/** Spellings of the deposited asset, settled and rebased; empty when the event names none. */
export interface Deposit {
  readonly assets: readonly string[]
}

/** Maximum depth and number of fields that are searched. An event has a few levels and some dozen fields. */
const MAX_DEPTH = 5
const MOST_FIELDS = 500
const ASSET_FIELDS: ReadonlySet<string> = new Set(['asset', 'assetSymbol', 'rebasedSymbol'])

/** Returns the deposit; `undefined` for another event, or a body that is no event. */
export function findDeposit(body: Uint8Array): Deposit | undefined {
  let event: unknown
  try {
    event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return undefined
  }
  if (!isObject(event)) return undefined
  const { type, event: name, eventType } = event
  const types = [type, name, eventType].filter((each) => typeof each === 'string')
  if (!types.some((each) => /deposit/i.test(each))) return undefined
  return { assets: assetsIn(event) }
}

/** Names of the policies that a deposit starts. A deposit without an asset starts all that wait for deposits. */
export function policiesFor({ assets }: Deposit, policies: Policies): string[] {
  const waitsFor = (policy: Policy): boolean => {
    const awaited = depositAssetOf(policy)
    return awaited !== undefined && (assets.length === 0 || assets.some((asset) => sameCode(asset, awaited)))
  }
  return Object.entries(policies).flatMap(([name, policy]) => (waitsFor(policy) ? [name] : []))
}

function assetsIn(event: Readonly<Record<string, unknown>>): string[] {
  const found = new Set<string>()
  let fields = 0
  const walk = (node: Readonly<Record<string, unknown>>, depth: number): void => {
    for (const [field, value] of Object.entries(node)) {
      fields += 1
      if (fields > MOST_FIELDS) return
      if (ASSET_FIELDS.has(field) && typeof value === 'string') found.add(value)
      else if (isObject(value) && depth < MAX_DEPTH) walk(value, depth + 1)
    }
  }
  walk(event, 1)
  return [...found]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
