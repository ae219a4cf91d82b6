// Defines the operation of `sluice run withdraw`, and makes its result for callers.

import { KeyRole } from '../../core/contract/service-settings.ts'
import { StateMachine } from '../../core/contract/states.ts'
import {
  type WithdrawReport,
  type WithdrawRequest,
  withdrawReport,
  withdrawRequest,
} from '../../core/contract/withdraw.ts'
import { withdrawExitCode } from '../../place/exit-code.ts'
import { testOfWithdrawal } from './new-directory/movement-test.ts'
import { type FinishedExecution, type Operation, present, reportIn, withoutReport } from './operation.ts'

export const withdrawal: Operation<WithdrawRequest, WithdrawResult> = {
  verb: 'withdraw',
  stateMachine: StateMachine.Withdraw,
  schema: withdrawRequest,
  noun: 'withdrawal',
  keyRoles: () => [KeyRole.Transfer],
  movesOf: testOfWithdrawal,
  resultOf: withdrawResultOf,
  exitCode: ({ outcome, isByBalance }) => withdrawExitCode(outcome, isByBalance),
}

/** The fields that callers rely on, in this order. */
export type WithdrawResult = Omit<WithdrawReport, 'until' | 'waitSeconds' | 'waits'>

export function withdrawResultOf(execution: FinishedExecution): WithdrawResult {
  const report = reportIn(execution, withdrawReport)
  if (report === undefined) return withoutReport(execution)
  const { outcome, intentId, withdrawalId, assetSymbol, amount, fee, total } = report
  const { isByBalance, transactionHash, bankReference, attempts, candidates, why, guardedBy } = report
  return present({
    outcome,
    intentId,
    withdrawalId,
    assetSymbol,
    amount,
    fee,
    total,
    isByBalance,
    transactionHash,
    bankReference,
    attempts,
    candidates,
    why,
    guardedBy,
  })
}
