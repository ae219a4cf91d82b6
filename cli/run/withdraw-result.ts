// The result of `sluice run withdraw`: the fields that callers build on, and one sentence for a person.
import { WithdrawEnd } from '../../core/contract/outcomes.ts'
import { type WithdrawReport, withdrawReport } from '../../core/contract/withdraw.ts'
import { arrivedText } from '../narration/withdraw-lines.ts'
import type { FinishedExecution } from './operation.ts'
import { present, reportIn, withoutReport } from './run-result.ts'

/** The fields that callers build on, in this order (design, section 6). */
export type WithdrawResult = Omit<WithdrawReport, 'until' | 'waitSeconds' | 'waits'>

export function withdrawResultOf(execution: FinishedExecution): WithdrawResult {
  const report = reportIn(execution, withdrawReport)
  if (report === undefined) return withoutReport(execution)
  const { outcome, intentId, withdrawalId, assetSymbol, amount, fee, total } = report
  const { transactionHash, bankReference, attempts, candidates, why, guardedBy } = report
  return present({
    ...{ outcome, intentId, withdrawalId, assetSymbol, amount, fee, total },
    ...{ transactionHash, bankReference, attempts, candidates, why, guardedBy },
  })
}

export function describeWithdrawal(result: WithdrawResult): string {
  if (result.outcome === WithdrawEnd.Completed)
    return `${arrivedText(result)}, withdrawal ${result.withdrawalId ?? '?'}${proofText(result)}`
  return result.why ?? 'no reason was given'
}

function proofText({ transactionHash, bankReference }: WithdrawResult): string {
  if (transactionHash) return `, transaction ${transactionHash}`
  return bankReference ? `, bank reference ${bankReference}` : ''
}
