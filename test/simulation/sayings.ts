// Holds what executions say against the truth of the moment in which they say it.
import { WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind, recordKey } from '../../core/contract/records.ts'
import type { WithdrawReport } from '../../core/contract/withdraw.ts'
import type { Stage } from './stage.ts'
import type { Report } from './state-machines.ts'

const WAITS_FOR_LANE = /^withdrawal (\S+) of \S+ is not settled yet$/
const LETS_LANE_GO: ReadonlySet<unknown> = new Set(['DONE', 'REJECTED', 'EXHAUSTED'])

export class Sayings {
  readonly #stage: Stage
  /** By execution: the ended intent whose lane it said that it waits for. */
  readonly #waitsFor = new Map<string, string>()

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** An intent may end while a step says that it holds the lane; the next step must know. */
  noteStep(execution: string, { outcome, why }: WithdrawReport): void {
    const [, holder] = (outcome === WithdrawStep.Held && WAITS_FOR_LANE.exec(why ?? '')) || []
    const before = this.#waitsFor.get(execution)
    this.#waitsFor.delete(execution)
    if (
      holder === undefined ||
      !LETS_LANE_GO.has(this.#stage.journal.records.get(recordKey.intent(IntentKind.Withdraw, holder))?.state)
    )
      return
    if (holder === before) this.#stage.witness.accuse('a wait for the lane of an intent that has ended')
    this.#waitsFor.set(execution, holder)
  }

  /** What came back, or was never taken, must have done so when it is said. */
  judgeEnd(report: Report): void {
    if (report.outcome !== WithdrawEnd.FailedRefunded) return
    const { withdrawalId = '' } = report as WithdrawReport
    if (['debited', 'taken back'].includes(this.#stage.service.withdrawals.trueBookingOf(withdrawalId)))
      this.#stage.witness.accuse('FAILED_REFUNDED of a withdrawal that has not come back')
  }
}
