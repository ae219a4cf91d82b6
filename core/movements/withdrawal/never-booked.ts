// Says whether the ledger shows that a withdrawal was never booked. An index may lag behind with a 200, also the one by
// which the ledger is filtered. So the whole ledger is walked, and has to show something that was booked later. Reads only.
import { ledgerSourceOf, OF_WITHDRAWALS } from '../../contract/ledger-source.ts'
import type { Timing } from '../../contract/timing.ts'
import { lostFenceMs } from '../../journal/examine-lost.ts'
import { withdrawalFenceMs } from '../../journal/fence.ts'
import type { WithdrawIntent } from '../../journal/intent.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { createOlderEntries } from '../older-entries.ts'
import type { WithdrawalReads } from './ports.ts'

/** When the debit of an intent's withdrawal shows at the latest, if it is booked at acceptance. Epoch ms, service time. */
export function bookedByMs(intent: WithdrawIntent, timing: Timing): number {
  const { attempt } = intent
  return attempt === undefined ? lostFenceMs(intent, timing) : withdrawalFenceMs(attempt, timing)
}

/**
 * Whether the whole ledger has no entry of a withdrawal, and one of something else that is younger than any debit of it.
 * `byMs`: of `bookedByMs`. The ledger is taken to be dated as its row is, which may be by the clock of a zone that is ahead.
 * Entries without a source count for neither. @throws Transient, Refused, Defect
 */
export async function isNeverBooked(
  { id, createdAt }: Pick<WithdrawalState, 'id' | 'createdAt'>,
  byMs: number,
  { visibilitySeconds }: Timing,
  service: Pick<WithdrawalReads, 'walkLedger'>,
): Promise<boolean> {
  const madeMs = Date.parse(createdAt)
  const laterMs = Math.max(byMs, madeMs + visibilitySeconds * 1000)
  const isPast = createOlderEntries(madeMs)
  let isLater = false
  for await (const { source, createdAt: bookedAt } of service.walkLedger()) {
    if (source?.id === id && OF_WITHDRAWALS.has(ledgerSourceOf(source.type))) return false
    isLater ||= source !== null && source.id !== id && Date.parse(bookedAt ?? '') > laterMs
    if (isPast(bookedAt)) break
  }
  return isLater
}
