// Reads a proven withdrawal for some seconds, and says how long the state machine waits before the next read. Withdraw and
// PollWithdrawal use it. Writes nothing and sends nothing.
import { WithdrawEnd, WithdrawStep } from '../../contract/outcomes.ts'
import { BANK_POLL_WAIT_SECONDS, type Timing } from '../../contract/timing.ts'
import type { WithdrawReport } from '../../contract/withdraw.ts'
import type { WithdrawIntent } from '../../journal/intent.ts'
import { assertProvenAccount, withOneKey } from '../../journal/own-key.ts'
import type { KeyReads } from '../../service/ports.ts'
import { CLOCK_AGE_LIMIT_MS, type Polling, pollUntilSettled, readOrUnseen, waitAfter } from '../polling.ts'
import type { BalanceReads } from './back-by-balance.ts'
import { isBankPayout, isGivenTime, mostBankWaits } from './payout.ts'
import type { WithdrawalReads } from './ports.ts'
import { knownOf, reportWithdrawal, type SeenWithdrawal } from './report.ts'

export interface WithdrawalPolling extends Polling {
  readonly service: Pick<
    WithdrawalReads,
    'clock' | keyof KeyReads | 'findWithdrawal' | 'ledgerOf' | 'findCompletedLike' | keyof BalanceReads
  >
  readonly timing: Timing
}

/**
 * `waits`: between reads, begun so far. What cannot be read now is read after the next wait.
 * @returns COMPLETED, FAILED_REFUNDED, PROCESSING with `waitSeconds`, or STUCK after the last wait. For a payout to a bank the
 * last wait comes days later.
 * @throws RateLimited, Refused, Defect
 */
export async function reportPolledWithdrawal(
  intent: WithdrawIntent,
  waits: number,
  ports: WithdrawalPolling,
): Promise<WithdrawReport> {
  const { service, timing } = ports
  const look = () =>
    withOneKey(service, async () => {
      await assertProvenAccount(intent.frozen.account, intent.attempt?.kid, service)
      return pollUntilSettled(() => reportWithdrawal(intent, service, timing), isMoving, ports)
    })
  const { isUntold, ...report } = await readOrUnseen<SeenWithdrawal>(look, (unseen) => ({
    ...knownOf(intent),
    outcome: WithdrawStep.Processing,
    ...unseen,
  }))
  if (!isMoving(report)) return report
  if (waits >= (isUntold ? Math.min(UNTOLD_WAITS, timing.pollWaits) : timing.pollWaits)) {
    if (!isUntold && waits < timing.pollWaits + mostBankWaits(timing) && (await mayTakeDays(intent, ports))) {
      return { ...report, waits: waits + 1, waitSeconds: BANK_POLL_WAIT_SECONDS }
    }
    return { ...report, outcome: WithdrawEnd.Stuck, why: `${report.why}, and no end came within ${waits} waits` }
  }
  return { ...report, waits: waits + 1, waitSeconds: waitAfter(waits, timing) }
}

/** Number of waits in which a refund may still be booked, and entries and balances agree: 25 + 50 + 100 + 3 × 120 s by default. */
const UNTOLD_WAITS = 6

/** Where the time cannot be asked for, the number of waits is the only bound. */
async function mayTakeDays(
  intent: WithdrawIntent,
  { service: { clock }, timing }: WithdrawalPolling,
): Promise<boolean> {
  if (!isBankPayout(intent)) return false
  const isAsked = await readOrUnseen(
    () => clock.ensure(CLOCK_AGE_LIMIT_MS).then(() => true),
    () => false,
  )
  return !isAsked || isGivenTime(intent, clock.nowMs(), timing)
}

function isMoving(report: WithdrawReport): boolean {
  return report.outcome === WithdrawStep.Processing
}
