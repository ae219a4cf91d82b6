// Puts a withdrawal into words: its request, its payee, and the meaning of each event. Pure.
import { WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { WithdrawState } from '../../core/contract/states.ts'
import type { WithdrawReport, WithdrawRequest } from '../../core/contract/withdraw.ts'
import { sendText } from '../../operations/words/request-words.ts'
import { because, describeOutcome, type Message, type Narration, recordedText, waitingWords } from './event-lines.ts'

export const withdrawNarration: Narration<WithdrawRequest> = {
  doing(state, request, waitSeconds) {
    const doing: Partial<Record<string, string>> = {
      [WithdrawState.CheckWithdrawal]: `checking what it takes to ${sendText(request)}`,
      [WithdrawState.Withdraw]: 'sending the withdrawal, or finding out what became of it',
      [WithdrawState.PollWithdrawal]: 'checking the withdrawal',
      ...waitingWords(waitSeconds),
    }
    return doing[state]
  },
  result(state, output) {
    // A step of this project wrote the output, so its shape is not checked. The text is for people; nothing is decided by it.
    const report = output as Partial<WithdrawReport>
    switch (state) {
      case WithdrawState.CheckWithdrawal:
        if (report.outcome === WithdrawStep.Checked)
          return { text: 'contact, network, fee, amount and balance fit', tone: 'plain' }
        return recordedText(report.refused)
      case WithdrawState.Withdraw:
      case WithdrawState.PollWithdrawal:
      case WithdrawState.Conclude:
        return describeStep(report)
      default:
        // Choices and waits have no line. The result reports the end.
        return undefined
    }
  },
}

function describeStep(report: Partial<WithdrawReport>): Message {
  switch (report.outcome) {
    case WithdrawStep.Again: {
      const attempt = `attempt ${report.attempts ?? '?'} sends again`
      return { text: `nothing moved${because(report)}; ${attempt}`, tone: 'wait' }
    }
    case WithdrawEnd.Completed:
      return { text: arrivedText(report), tone: 'good' }
    default:
      return describeOutcome(report)
  }
}

export function arrivedText(report: Partial<WithdrawReport>): string {
  const { amount = '?', fee = '?', total = '?', assetSymbol = '?' } = report
  return `sent ${amount} ${assetSymbol} for a fee of ${fee}, ${total} in all`
}
