// State PollWithdrawal: looks at a proven withdrawal, then leaves the wait to the state machine.
// Writes nothing and sends nothing.

import type { Clock } from '../../core/clock.ts'
import { WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { BANK_POLL_WAIT_SECONDS, type Timing } from '../../core/contract/timing.ts'
import type { PollWithdrawalInput, WithdrawReport } from '../../core/contract/withdraw.ts'
import { IntentLost } from '../../core/errors.ts'
import type { Journal } from '../../core/journal/journal.ts'
import { assertProvenAccount, withOneKey } from '../../core/journal/own-key.ts'
import { CLOCK_AGE_LIMIT_MS, lookUntilSettled, waitAfter } from '../../core/movements/polling.ts'
import { isBankPayout, isGivenTime, mostBankWaits } from '../../core/movements/withdrawal/payout.ts'
import type { WithdrawalReads } from '../../core/movements/withdrawal/ports.ts'
import { reportWithdrawal } from '../../core/movements/withdrawal/report.ts'
import type { KeyReads } from '../../core/service/ports.ts'

export interface PollWithdrawalPorts {
  readonly journal: Pick<Journal, 'find'>
  readonly service: Pick<WithdrawalReads, 'clock' | keyof KeyReads | 'findWithdrawal' | 'bookingOf'>
  readonly clock: Clock
  readonly timing: Timing
}

/** @returns COMPLETED, FAILED_REFUNDED, PROCESSING with `waitSeconds`, or STUCK after the last wait, which for a payout to a bank comes days later. @throws Transient, IntentLost, Defect */
export async function pollWithdrawal(input: PollWithdrawalInput, ports: PollWithdrawalPorts): Promise<WithdrawReport> {
  const { timing, service } = ports
  const waits = input.waits ?? 0
  const intent = await ports.journal.find(input.intentId, IntentKind.Withdraw)
  if (!intent) throw new IntentLost(input.intentId)

  const isMoving = (report: WithdrawReport) => report.outcome === WithdrawStep.Processing
  const report = await withOneKey(service, async () => {
    await assertProvenAccount(intent.frozen.account, intent.attempt?.kid, service)
    return lookUntilSettled(() => reportWithdrawal(intent, service, timing), isMoving, ports)
  })
  if (!isMoving(report)) return report
  if (waits >= timing.pollWaits) {
    if (isBankPayout(intent) && waits < timing.pollWaits + mostBankWaits(timing)) {
      await service.clock.ensure(CLOCK_AGE_LIMIT_MS)
      if (isGivenTime(intent, service.clock.nowMs(), timing)) {
        return { ...report, waits: waits + 1, waitSeconds: BANK_POLL_WAIT_SECONDS }
      }
    }
    return { ...report, outcome: WithdrawEnd.Stuck, why: `${report.why}, and no end came within ${waits} waits` }
  }
  return { ...report, waits: waits + 1, waitSeconds: waitAfter(waits, timing) }
}
