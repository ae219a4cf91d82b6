// Says of a movement that the service has accepted when its execution reads it again. A payout to a bank is read once an
// hour, so its end may be there long before it is seen. Pure.

import { convertReport } from '../../core/contract/convert.ts'
import { ConvertStep } from '../../core/contract/outcomes.ts'
import { IntentState } from '../../core/contract/records.ts'
import { withdrawReport } from '../../core/contract/withdraw.ts'
import { type Intent, isOpened, isWithdrawal } from '../../core/journal/intent.ts'
import { isBankPayout } from '../../core/movements/withdrawal/payout.ts'
import { type ExecutionHistory, reportedAt } from '../../place/executions/execution-history.ts'

export interface ServiceWait {
  /** ISO-8601: the last read, and the next one. */
  readonly readAt: string
  readonly nextAt: string
  readonly isBank: boolean
  /** Present where the service calls the withdrawal failed, and its refund is not proven. */
  readonly isRefundDue?: true
  /** The answer of the last read, such as `the withdrawal is PENDING`. */
  readonly why: string
}

/** Undefined for any other state, and where no execution that is under way waits. */
export function serviceWaitOf(intent: Intent, histories: readonly ExecutionHistory[]): ServiceWait | undefined {
  const last = histories.at(-1)
  if (intent.state !== IntentState.Done || last?.status !== 'RUNNING') return undefined
  for (const step of last.steps.toReversed()) {
    if (step.did !== 'left') continue
    const schema = intent.kind === 'convert' ? convertReport : withdrawReport
    const report = schema.safeParse(step.output).data
    if (report === undefined) continue
    const { outcome, waitSeconds, why = '' } = report
    if (outcome !== ConvertStep.Processing || waitSeconds === undefined) return undefined
    const readAt = reportedAt(last.steps, step.output)
    const nextAt = new Date(Date.parse(readAt) + waitSeconds * 1000).toISOString()
    const isBank = isWithdrawal(intent) && isOpened(intent) && isBankPayout(intent)
    const isRefundDue = last.steps.some((each) => each.did === 'left' && each.output.isRefundDue === true)
    return { readAt, nextAt, isBank, why, ...(isRefundDue && { isRefundDue }) }
  }
  return undefined
}
