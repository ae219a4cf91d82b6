// Says how long a payout to a bank may take. A bank takes days where a chain takes minutes, so a payout is read less often, and
// for longer, before a person is called. Pure.
import { BANK_POLL_WAIT_SECONDS, type Timing } from '../../contract/timing.ts'
import type { WithdrawIntent } from '../../journal/intent.ts'

/** Sub-type of the row of a bank payout that is given this time. */
const TO_A_BANK = 'EXTERNAL_FIAT_BANK'

/** Decided by the terms frozen when the intent was opened, not by the contact as it is now. */
export function isBankPayout({ frozen }: WithdrawIntent): boolean {
  return frozen.subTypes?.includes(TO_A_BANK) === true
}

/** Whether the intent is a payout to a bank that may still take its time. `nowMs`: epoch ms, service time. */
export function isGivenTime(intent: WithdrawIntent, nowMs: number, { bankPayoutHours }: Timing): boolean {
  const sentMs = intent.attempt === undefined ? Date.parse(intent.createdAt) : intent.attempt.iat * 1000
  return isBankPayout(intent) && nowMs < sentMs + bankPayoutHours * 3_600_000
}

/**
 * Maximum waits of a bank payout, in addition to the waits of every withdrawal. They bound the loop where the clock stands
 * still.
 */
export function mostBankWaits({ bankPayoutHours }: Timing): number {
  return Math.ceil((bankPayoutHours * 3_600) / BANK_POLL_WAIT_SECONDS)
}
