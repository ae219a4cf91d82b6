// State PollWithdrawal: looks at a proven withdrawal, then leaves the wait to the state machine.
// Writes nothing and sends nothing.
import { WithdrawEnd, WithdrawStep } from '../contract/outcomes.ts'
import type { Timing } from '../contract/timing.ts'
import type { PollWithdrawalInput, WithdrawReport } from '../contract/withdraw.ts'
import type { Clock } from '../shared/clock.ts'
import { IntentLost } from '../shared/errors.ts'
import { attemptOf } from '../shared/journal/intent.ts'
import type { Journal } from '../shared/journal/journal.ts'
import { assertProvenAccount } from '../shared/journal/own-key.ts'
import { lookUntilSettled, waitAfter } from '../shared/polling.ts'
import type { KeyReads } from '../shared/service/ports.ts'
import type { WithdrawalReads } from '../shared/withdrawal/ports.ts'
import { reportWithdrawal } from '../shared/withdrawal/report.ts'
import type { WithdrawIntent } from '../shared/withdrawal/withdraw-intent.ts'

export interface PollWithdrawalPorts {
  readonly journal: Pick<Journal, 'find'>
  readonly service: Pick<WithdrawalReads, 'clock' | keyof KeyReads | 'findWithdrawal' | 'bookingOf'>
  readonly clock: Clock
  readonly timing: Timing
}

/** @returns COMPLETED, FAILED_REFUNDED, PROCESSING with `waitSeconds`, or STUCK after the last wait. @throws Transient, IntentLost, Defect */
export async function pollWithdrawal(input: PollWithdrawalInput, ports: PollWithdrawalPorts): Promise<WithdrawReport> {
  const { timing, service } = ports
  const waits = input.waits ?? 0
  const intent = await ports.journal.find<WithdrawIntent>(input.intentId)
  if (!intent) throw new IntentLost(input.intentId)

  await assertProvenAccount(intent.frozen.account, attemptOf(intent).kid, service)
  const isMoving = (report: WithdrawReport) => report.outcome === WithdrawStep.Processing
  const report = await lookUntilSettled(() => reportWithdrawal(intent, service, timing), isMoving, ports)
  if (!isMoving(report)) return report
  if (waits >= timing.pollWaits) {
    return { ...report, outcome: WithdrawEnd.Stuck, why: `${report.why}, and no end came within ${waits} waits` }
  }
  return { ...report, waits: waits + 1, waitSeconds: waitAfter(waits, timing) }
}
