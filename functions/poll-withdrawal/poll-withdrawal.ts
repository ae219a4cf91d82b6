// State PollWithdrawal: polls a proven withdrawal, then leaves the wait to the state machine. Writes nothing and sends
// nothing.

import { IntentKind } from '../../core/contract/records.ts'
import type { PollWithdrawalInput, WithdrawReport } from '../../core/contract/withdraw.ts'
import { IntentLost } from '../../core/errors.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { assertClaimed, assertFollows } from '../../core/movements/follows.ts'
import { reportPolledWithdrawal, type WithdrawalPolling } from '../../core/movements/withdrawal/poll.ts'

interface PollWithdrawalPorts extends WithdrawalPolling {
  readonly journal: Pick<Journal, 'find' | 'findClaim'>
}

/**
 * @returns COMPLETED, FAILED_REFUNDED, PROCESSING with `waitSeconds`, or STUCK after the last wait. For a bank payout
 * the last wait ends after days.
 * @throws Transient, IntentLost, KeyFault, Refused, Defect
 */
export async function pollWithdrawal(input: PollWithdrawalInput, ports: PollWithdrawalPorts): Promise<WithdrawReport> {
  const intent = await ports.journal.find(input.intentId, IntentKind.Withdraw)
  if (!intent) throw new IntentLost(input.intentId)
  assertFollows(intent)
  await assertClaimed(intent, ports.journal)
  return reportPolledWithdrawal(intent, input.waits ?? 0, ports)
}
