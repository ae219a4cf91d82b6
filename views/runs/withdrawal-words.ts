// Puts a withdrawal that a person runs into words.

import { WithdrawEnd } from '../../core/contract/outcomes.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import type { WithdrawResult } from '../../operations/runs/withdrawal.ts'
import { sendText } from '../../operations/words/request-words.ts'
import { watchExecution } from '../narration/watch-execution.ts'
import { arrivedText, withdrawNarration } from '../narration/withdraw-lines.ts'
import { movementLines } from './movement-lines.ts'
import type { RunWords } from './run-words.ts'

export const withdrawalWords: RunWords<WithdrawRequest, WithdrawResult> = {
  watch: (intentId, request, progress) => watchExecution(intentId, request, withdrawNarration, progress),
  ask: sendText,
  describe: describeWithdrawal,
  lines: movementLines,
  movementOf: ({ withdrawalId }) =>
    withdrawalId === undefined ? 'the latest withdrawals' : `withdrawal ${withdrawalId}`,
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
