// How long a payout to a bank is given. A bank takes days over what a chain takes minutes over, so it is looked at more
// seldom and for longer before a person is called. Pure.
import { BANK_POLL_WAIT_SECONDS, type Timing } from '../../contract/timing.ts'
import type { WithdrawIntent } from '../../journal/intent.ts'

/** Of the rows that a payout to a bank account may have. */
const TO_A_BANK = 'EXTERNAL_FIAT_BANK'

/** By what was frozen when it was opened, and not by the contact of now. */
export function isBankPayout({ frozen }: Pick<WithdrawIntent, 'frozen'>): boolean {
  return frozen.subTypes?.includes(TO_A_BANK) === true
}

/** Whether it is a payout to a bank that may still take its time. `nowMs`: epoch ms, service time. */
export function isGivenTime(
  intent: Pick<WithdrawIntent, 'frozen' | 'attempt' | 'createdAt'>,
  nowMs: number,
  { bankPayoutHours }: Pick<Timing, 'bankPayoutHours'>,
): boolean {
  const sentMs = intent.attempt === undefined ? Date.parse(intent.createdAt) : intent.attempt.iat * 1000
  return isBankPayout(intent) && nowMs < sentMs + bankPayoutHours * 3_600_000
}

/** Waits beyond those of every withdrawal: the bound of a loop whose clock stands still. */
export function mostBankWaits({ bankPayoutHours }: Pick<Timing, 'bankPayoutHours'>): number {
  return Math.ceil((bankPayoutHours * 3_600) / BANK_POLL_WAIT_SECONDS)
}
