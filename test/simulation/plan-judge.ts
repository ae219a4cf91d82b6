// Compares what a plan froze with what is accepted and moved: the floor that must stay, and the payee.
import type { ConvertRequest } from '../../core/contract/convert.ts'
import { IntentKind } from '../../core/contract/records.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'

/**
 * Longest time from a read right before a send to the last moment of its movement, ms. The sum of the token's life, the
 * leeway, our longest wait for an answer, and the service's longest work.
 */
export const LOOK_TO_MOVE_MS = 166_000

/** The floor must stay. `left`: settled units after the movement. */
export function judgeFloor({ params }: StoredRecord, left: number): string | undefined {
  const { keep } = params as WithdrawRequest
  const isBelow = keep !== undefined && left < Number(keep)
  return isBelow ? `a movement that leaves ${left} of a floor of ${keep}` : undefined
}

/** The payee of a withdrawal, and its figures in settled units. */
export interface Paid {
  readonly contactId?: string
  readonly amount?: string
  readonly total?: string
  readonly fee?: string
  /** The lowest fee that a read before its send may have shown, and the total at that fee. */
  readonly knownFee?: string
  readonly knownTotal?: string
  /** The requested amount, where the service has cut it. */
  readonly cutFrom?: string
  /** An increment that the asset may have had when the terms were settled, which round to it. */
  readonly roundedTo?: string
}

/** The record of a send must hold the fee from the read right before it, unless the fee has risen since. */
export function judgeFee({ attempt }: StoredRecord, { fee, knownFee }: Paid): string | undefined {
  const { fee: noted } = attempt as { readonly fee?: string }
  if (fee === undefined || fee !== knownFee || Number(noted) === Number(fee)) return undefined
  return `a withdrawal at a fee of ${fee}, and its record says ${noted}`
}

/** A withdrawal has the amount and the payee that its execution asked for, whatever its record says. */
export function judgeAsked(
  { contactId, amount, total, cutFrom, roundedTo }: Paid,
  asked: ConvertRequest | WithdrawRequest,
): string | undefined {
  if (!('contactId' in asked)) return undefined
  if (contactId !== asked.contactId) return `a withdrawal to ${contactId}, and ${asked.contactId} was asked for`
  const moved = cutFrom ?? (asked.feeMode === 'add' ? amount : total)
  const rounded = roundedTo === undefined ? 0 : Number(asked.amount) - (Number(asked.amount) % Number(roundedTo))
  return [Number(asked.amount), rounded].includes(Number(moved))
    ? undefined
    : `a withdrawal of ${moved}, and ${asked.amount} was asked for`
}

export interface ContactTimes {
  readonly nowMs: () => number
  /** When the contact was changed to lead elsewhere. */
  readonly contactChangedMs?: number | undefined
}

/**
 * Faults a withdrawal to a contact that had differed from the plan, or from the first read, long enough to be noticed.
 */
export function judgeContact(
  { record, openedMs }: { readonly record: StoredRecord; readonly openedMs: number },
  { contactChangedMs = Number.POSITIVE_INFINITY, nowMs }: ContactTimes,
): string | undefined {
  if (record.kind !== IntentKind.Withdraw || nowMs() - contactChangedMs <= LOOK_TO_MOVE_MS) return undefined
  const { policy, run } = record.params as WithdrawRequest
  // A run plans while the world is under way, and then opens its legs.
  const isPlanned = policy !== undefined && run === undefined
  return isPlanned || contactChangedMs > openedMs ? 'a withdrawal to a contact that had changed' : undefined
}
