// Says whether the ledger shows that a withdrawal was never booked. An index may lag behind and still answer with a 200, also
// the index that filters the ledger. So the whole ledger is read, and must show an entry that was booked later. Reads only.
import { ledgerSourceOf, OF_WITHDRAWALS } from '../../contract/ledger-types.ts'
import type { Timing } from '../../contract/timing.ts'
import { lostFenceMs } from '../../journal/examine-lost.ts'
import { withdrawalFenceMs } from '../../journal/fence.ts'
import type { WithdrawIntent } from '../../journal/intent.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { createOlderEntries } from '../older-entries.ts'
import type { WithdrawalReads } from './ports.ts'

/**
 * Epoch ms, service time: the latest moment at which the debit of a withdrawal becomes visible, if it is booked at acceptance.
 */
export function bookedByMs(intent: WithdrawIntent, timing: Timing): number {
  const { attempt } = intent
  return attempt === undefined ? lostFenceMs(intent, timing) : withdrawalFenceMs(attempt, timing)
}

/**
 * Whether the whole ledger has no entry of the withdrawal, and has an entry of another movement that is younger than any debit
 * of it could be. `byMs`: from `bookedByMs`. The ledger may date its entries as the row is dated, by the clock of a zone that
 * is ahead. Entries without a source are ignored.
 * @throws Transient, Refused, Defect
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
