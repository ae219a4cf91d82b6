// What must hold in every simulated world of withdrawals, at every step and at its end.
import { WithdrawEnd } from '../../functions/contract/outcomes.ts'
import { recordKey } from '../../functions/contract/records.ts'
import type { WithdrawReport } from '../../functions/contract/withdraw.ts'
import type { StoredRecord } from '../../functions/shared/journal/record-store.ts'
import { parseDecimal } from '../../functions/shared/money/decimal.ts'
import type { MemoryStore } from '../helpers/memory-store.ts'
import type { Movement, WithdrawalModel } from './withdrawal-model.ts'

const CERTIFIED_ZERO: ReadonlySet<unknown> = new Set(['REJECTED', 'EXHAUSTED'])
const seen = new WeakMap<MemoryStore, Map<string, Set<string>>>()

/** Holds after every step: journal and service agree, intent by intent. */
export function findStepViolations(service: WithdrawalModel, store: MemoryStore): string[] {
  const { sentNonces } = service
  const found: string[] = []
  if (new Set(sentNonces).size !== sentNonces.length) found.push('a nonce was sent twice')
  for (const intent of intentsIn(store)) {
    const { intentId, state, ref } = intent
    const moved = movementsOf(service, store, intent)
    if (moved.length > 1) found.push(`${moved.length} movements for ${intentId}`)
    if (moved.some((movement) => movement.contactId !== 'contact-1')) found.push('a movement to another contact')
    if (CERTIFIED_ZERO.has(state) && moved.length > 0) found.push(`${state} with a movement`)
    if (state !== 'DONE') continue
    if (moved.length !== 1) found.push(`${intentId} is DONE with ${moved.length} movements`)
    else if (moved[0]?.id !== ref) found.push(`${intentId} is DONE with another movement`)
    if (store.records.get(recordKey.claim(String(ref)))?.intentId !== intentId) found.push('DONE without its claim')
  }
  const owned = new Set([...noncesByIntent(store).values()].flatMap((nonces) => [...nonces]))
  if (sentNonces.some((nonce) => !owned.has(nonce))) found.push('a send without its ARM')
  return found
}

/** Holds at the end: what a run said is what moved, and every row of ours belongs to one intent. */
export function findEndViolations(
  service: WithdrawalModel,
  store: MemoryStore,
  ends: readonly WithdrawReport[],
): string[] {
  const found = ends.flatMap((end) => {
    const intent = store.records.get(recordKey.intent(end.intentId))
    const moved = intent ? movementsOf(service, store, intent) : []
    if (CERTIFIED_ZERO.has(end.outcome))
      return moved.length === 0 ? [] : [`${end.outcome}, though ${moved.length} moved`]
    if (end.outcome === WithdrawEnd.NeedsAttention) return []
    if (moved.length !== 1 || moved[0]?.id !== end.withdrawalId)
      return [`${end.outcome} of a movement that is not its own`]
    const expected = service.truth.endsAs === 'COMPLETED' ? WithdrawEnd.Completed : WithdrawEnd.FailedRefunded
    return end.outcome === WithdrawEnd.Stuck || end.outcome === expected ? [] : [`${end.outcome}, not ${expected}`]
  })
  const claimed = new Map<string, unknown>()
  for (const [pk, record] of store.records) if (pk.startsWith('C#')) claimed.set(pk.slice(2), record.intentId)
  for (const row of service.movements) {
    if (row.nonce === undefined && claimed.has(row.id)) found.push('a claim on a movement of others')
  }
  for (const id of claimed.keys()) {
    if (!service.movements.some((row) => row.id === id)) found.push('a claim without a movement')
  }
  return found
}

/** Holds at the end: what moved was reserved before, and what counts is within the limit. */
export function findBudgetViolations(service: WithdrawalModel, store: MemoryStore, limit: string): string[] {
  const reserved = new Map<string, string>()
  for (const [pk, record] of store.records) {
    if (!pk.startsWith('B#')) continue
    for (const [id, amount] of Object.entries(record.reserved as Record<string, string>)) reserved.set(id, amount)
  }
  let counting = 0n
  const found = intentsIn(store).flatMap((intent) => {
    const intentId = String(intent.intentId)
    const amount = reserved.get(intentId)
    if (amount !== undefined && !CERTIFIED_ZERO.has(intent.state)) counting += parseDecimal(amount, 'reserved')
    const [moved] = movementsOf(service, store, intent)
    if (!moved) return []
    if (amount === undefined) return [`${intentId} moved without a reservation`]
    // A fee that rose after the checks is the service's doing; the next reservation does not know of it.
    const isLess = parseDecimal(amount, 'reserved') < parseDecimal(moved.total, 'total')
    return isLess && !service.truth.changesFee ? [`${intentId} moved more than it reserved`] : []
  })
  if (counting > parseDecimal(limit, 'limit')) found.push('more is reserved than the limit allows')
  return found
}

/** Holds of intents entered once more when all faults are over: they come to a closed end, or wait for a person with a cause. */
export function findUnhealed(
  ends: readonly WithdrawReport[],
  {
    truth,
    intents,
  }: { readonly intents: number; readonly truth: { readonly foreignRows: number; readonly garblesAnswer: boolean } },
): string[] {
  const found = ends.length === intents ? [] : [`${ends.length} of ${intents} intents came to an end`]
  // A person is asked only where the service's answer, or other writers, leave it open which row is whose.
  const mayHalt = truth.foreignRows > 0 || truth.garblesAnswer
  for (const end of ends) {
    if (end.outcome === WithdrawEnd.NeedsAttention && !mayHalt) found.push(`halted without a cause: ${end.why}`)
    if (end.outcome === WithdrawEnd.Stuck) found.push(`stuck without faults: ${end.why}`)
  }
  return found
}

function intentsIn(store: MemoryStore): StoredRecord[] {
  return [...store.records.values()].filter((record) => record.pk.startsWith('I#'))
}

/** Rows that were asked for with a nonce that this intent has ever armed. */
function movementsOf(service: WithdrawalModel, store: MemoryStore, intent: StoredRecord): Movement[] {
  const nonces = noncesByIntent(store).get(String(intent.intentId))
  return service.movements.filter((row) => row.nonce !== undefined && nonces?.has(row.nonce))
}

/** The journal keeps only the last attempt; the witness remembers them all. */
function noncesByIntent(store: MemoryStore): Map<string, Set<string>> {
  const known = seen.get(store) ?? new Map<string, Set<string>>()
  seen.set(store, known)
  for (const { intentId, attempt } of intentsIn(store)) {
    const nonce = (attempt as { nonce?: string } | undefined)?.nonce
    if (nonce === undefined) continue
    const nonces = known.get(String(intentId)) ?? new Set()
    known.set(String(intentId), nonces.add(nonce))
  }
  return known
}
