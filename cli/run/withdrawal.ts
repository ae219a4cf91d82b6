// `sluice run withdraw`: the operation of a withdrawal, its result for callers, and the sentence for a person.
import { WithdrawEnd } from '../../core/contract/outcomes.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { KeyRole } from '../../core/contract/treasury.ts'
import {
  type WithdrawReport,
  type WithdrawRequest,
  withdrawReport,
  withdrawRequest,
} from '../../core/contract/withdraw.ts'
import { watchExecution } from '../narration/watch-execution.ts'
import { arrivedText, sendText, withdrawNarration } from '../narration/withdraw-lines.ts'
import { withdrawExitCode } from '../terminal/exit-code.ts'
import { testOfWithdrawal } from './new-directory/movement-test.ts'
import { type FinishedExecution, type Operation, present, reportIn, withoutReport } from './operation.ts'
import { movementLines } from './print-result.ts'

export const withdrawal: Operation<WithdrawRequest, WithdrawResult> = {
  verb: 'withdraw',
  stateMachine: StateMachine.Withdraw,
  schema: withdrawRequest,
  noun: 'withdrawal',
  doubt: 'a withdrawal may have been made',
  keyRoles: () => [KeyRole.Transfer],
  movesOf: testOfWithdrawal,
  watch: (intentId, request, progress) => watchExecution(intentId, request, withdrawNarration, progress),
  ask: sendText,
  resultOf: withdrawResultOf,
  exitCode: ({ outcome }) => withdrawExitCode(outcome),
  describe: describeWithdrawal,
  lines: movementLines,
  movementOf: ({ withdrawalId }) =>
    withdrawalId === undefined ? 'the latest withdrawals' : `withdrawal ${withdrawalId}`,
}

/** The fields that callers rely on, in this order. */
type WithdrawResult = Omit<WithdrawReport, 'until' | 'waitSeconds' | 'waits'>

export function withdrawResultOf(execution: FinishedExecution): WithdrawResult {
  const report = reportIn(execution, withdrawReport)
  if (report === undefined) return withoutReport(execution)
  const { outcome, intentId, withdrawalId, assetSymbol, amount, fee, total } = report
  const { transactionHash, bankReference, attempts, candidates, why, guardedBy } = report
  return present({
    outcome,
    intentId,
    withdrawalId,
    assetSymbol,
    amount,
    fee,
    total,
    transactionHash,
    bankReference,
    attempts,
    candidates,
    why,
    guardedBy,
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
