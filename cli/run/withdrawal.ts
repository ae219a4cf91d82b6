// `sluice run withdraw`: what a withdrawal is to the command line.
import { StateMachine } from '../../core/contract/states.ts'
import { KeyRole } from '../../core/contract/treasury.ts'
import { type WithdrawRequest, withdrawRequest } from '../../core/contract/withdraw.ts'
import { watchExecution } from '../narration/watch-execution.ts'
import { sendText, withdrawNarration } from '../narration/withdraw-lines.ts'
import { withdrawExitCode } from '../terminal/exit-code.ts'
import { testOfWithdrawal } from './new-directory/movement-test.ts'
import type { Operation } from './operation.ts'
import { describeWithdrawal, type WithdrawResult, withdrawResultOf } from './withdraw-result.ts'

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
  movementOf: ({ withdrawalId }) =>
    withdrawalId === undefined ? 'the latest withdrawals' : `withdrawal ${withdrawalId}`,
}
