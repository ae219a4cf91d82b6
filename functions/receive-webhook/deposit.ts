// Recognises a deposit among the service's events, and its asset. The service's description shows neither types nor
// payloads (section "Events"), so they are read loosely. A deposit that is missed delays a policy. An event that is
// mistaken for a deposit starts a run that finds nothing to do.
import { sameCode } from '../../core/contract/fields.ts'
import type { Policy } from '../../core/contract/policies.ts'
import { depositAssetOf } from '../../core/policies/kinds.ts'
import type { Policies } from '../../core/triggers/policy-start.ts'

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
