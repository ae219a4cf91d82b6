// What must hold in every simulated world, at every step and at its end.
import type { ConvertReport } from '../../functions/contract/convert.ts'
import { ConvertEnd } from '../../functions/contract/outcomes.ts'
import { recordKey } from '../../functions/contract/records.ts'
import type { MemoryStore } from '../helpers/memory-store.ts'
import type { ServiceModel } from './service-model.ts'

/** Holds after every step: journal and service agree. */
export function findViolations(service: ServiceModel, store: MemoryStore, intentId: string): string[] {
  const { movements, sentNonces } = service
  const intent = store.records.get(recordKey.intent(intentId))
  const state = intent?.state
  const ref = intent?.ref
  const found: string[] = []
  if (movements.length > 1) found.push(`${movements.length} movements for one intent`)
  if (new Set(sentNonces).size !== sentNonces.length) found.push('a nonce was sent twice')
  if (sentNonces.length > 0 && intent?.attempt === undefined) found.push('a send without its ARM')
  if (state === 'DONE' && movements.length !== 1) found.push('DONE without a movement')
  if (state === 'DONE' && movements[0]?.orderId !== ref) found.push('DONE with another movement')
  if ((state === 'REJECTED' || state === 'EXHAUSTED') && movements.length > 0) found.push(`${state} with a movement`)
  if (state === 'DONE' && !store.records.has(recordKey.claim(String(ref)))) found.push('DONE without its claim')
  return found
}

const CERTIFIED_ZERO: ReadonlySet<string> = new Set([
  ConvertEnd.Rejected,
  ConvertEnd.ExpiredOut,
  ConvertEnd.PriceRefused,
])

/** Holds at the end: what a run said is what moved, also of what moved after it had said so. */
export function findFalseEnds(service: ServiceModel, ends: readonly ConvertReport[]): string[] {
  const moved = service.movements.length
  return ends.flatMap((end) => {
    const saysZero = CERTIFIED_ZERO.has(end.outcome) || (end.outcome === ConvertEnd.Failed && end.fills?.length === 0)
    if (saysZero) return moved === 0 ? [] : [`${end.outcome}, though ${moved} moved`]
    if (end.outcome === ConvertEnd.NeedsAttention) return []
    // FILLED, STUCK, and FAILED with fills speak of an order.
    if (moved !== 1 || service.movements[0]?.orderId !== end.orderId) return [`${end.outcome}, though ${moved} moved`]
    if (end.outcome !== ConvertEnd.Stuck && end.outcome !== service.truth.endsAs)
      return [`${end.outcome}, though the order ended ${service.truth.endsAs}`]
    return []
  })
}

const FINAL: ReadonlySet<string> = new Set([...CERTIFIED_ZERO, ConvertEnd.Filled, ConvertEnd.Failed])

/** Holds of an intent entered once more when all faults are over: it comes to one of the closed ends. */
export function findUnhealed(end: ConvertReport | undefined): string[] {
  return end !== undefined && FINAL.has(end.outcome)
    ? []
    : [`entered again without faults: ${end?.outcome ?? 'no end'}`]
}
