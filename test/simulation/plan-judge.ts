// Holds what a plan froze against what is accepted and moved: what was to stay, and to whom it was to go.
import type { ConvertRequest } from '../../core/contract/convert.ts'
import { IntentKind } from '../../core/contract/records.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'

/** From a look right before a send to the last moment at which it moves: its token, the leeway, our patience, and the longest work. */
export const LOOK_TO_MOVE_MS = 166_000

/** What was to stay, stays. `left`: in settled units, after the movement. */
export function judgeFloor({ params }: StoredRecord, left: string): string | undefined {
  const { keep } = params as WithdrawRequest
  const isBelow = keep !== undefined && Number(left) < Number(keep)
  return isBelow ? `a movement that leaves ${left} of a floor of ${keep}` : undefined
}

/** Of a withdrawal: to whom it went, and its figures in settled units. */
export interface Paid {
  readonly contactId?: string
  readonly amount?: string
  readonly total?: string
  readonly fee?: string
  /** The least fee that a look before its send may have shown, and its total at that. */
  readonly knownFee?: string
  readonly knownTotal?: string
}

/** What is written of a send: the fee of a look right before it, unless it has risen since. */
export function judgeFee({ attempt }: StoredRecord, { fee, knownFee }: Paid): string | undefined {
  const { fee: noted } = attempt as { readonly fee?: string }
  if (fee === undefined || fee !== knownFee || Number(noted) === Number(fee)) return undefined
  return `a withdrawal at a fee of ${fee}, and its record says ${noted}`
}

/** A withdrawal is of the amount, and goes to the contact, that its execution asked for, whatever its record says. */
export function judgeAsked(
  { contactId, amount, total }: Paid,
  asked: ConvertRequest | WithdrawRequest,
): string | undefined {
  if (!('contactId' in asked)) return undefined
  if (contactId !== asked.contactId) return `a withdrawal to ${contactId}, and ${asked.contactId} was asked for`
  const moved = asked.feeMode === 'add' ? amount : total
  return Number(moved) === Number(asked.amount)
    ? undefined
    : `a withdrawal of ${moved}, and ${asked.amount} was asked for`
}

export interface ContactTimes {
  readonly nowMs: () => number
  /** When the contact was made to lead elsewhere. */
  readonly contactChangedMs?: number | undefined
}

/** It could be known for so long that the contact is not any more as it was planned, or as it was first seen. */
export function judgeContact(
  { record, openedMs }: { readonly record: StoredRecord; readonly openedMs: number },
  { contactChangedMs = Number.POSITIVE_INFINITY, nowMs }: ContactTimes,
): string | undefined {
  if (record.kind !== IntentKind.Withdraw || nowMs() - contactChangedMs <= LOOK_TO_MOVE_MS) return undefined
  const isPlanned = (record.params as WithdrawRequest).policy !== undefined
  return isPlanned || contactChangedMs > openedMs ? 'a withdrawal to a contact that had changed' : undefined
}
