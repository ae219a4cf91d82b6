// Puts a conversion or a withdrawal that a person runs into words: its request, its progress and its result.

import type { ConvertRequest } from '../../core/contract/convert.ts'
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import type { ConvertResult, WithdrawResult } from '../../operations/runs/movement-operations.ts'
import type { RunResult } from '../../operations/runs/operation.ts'
import type { Column } from '../../operations/words/column.ts'
import { askText, factText, sendText } from '../../operations/words/request-words.ts'
import { convertNarration, filledText } from '../narration/convert-lines.ts'
import { watchExecution } from '../narration/event-lines.ts'
import { arrivedText, withdrawNarration } from '../narration/withdraw-lines.ts'
import { recordLines, tableLines } from '../text/table.ts'
import type { RunWords } from './policy-run-words.ts'

function movementLines(
  { fills = [], ...facts }: RunResult & { readonly fills?: readonly Fill[] | undefined },
  width: number,
): string[] {
  const columns = Object.entries(facts).map(([name, value]) => ({ title: wordsOf(name), text: () => factText(value) }))
  const record = recordLines(columns, undefined, width)
  return fills.length === 0 ? record : [...record, '', ...tableLines(fillColumns, fills, width)]
}

interface Fill {
  readonly id: string
  readonly baseAmount: string
  readonly quoteAmount: string
  readonly rate: string
  readonly executedAt: string
}

const fillColumns: readonly Column<Fill>[] = [
  { title: 'filled at', text: ({ executedAt }) => executedAt, isTime: true },
  { title: 'base amount', text: ({ baseAmount }) => baseAmount, isAmount: true },
  { title: 'quote amount', text: ({ quoteAmount }) => quoteAmount, isAmount: true },
  { title: 'rate', text: ({ rate }) => rate, isAmount: true },
  { title: 'fill', text: ({ id }) => id, isId: true },
]

/** `transactionHash` → `transaction hash`, `intentId` → `intent`. */
function wordsOf(name: string): string {
  return name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

export const conversionWords: RunWords<ConvertRequest, ConvertResult> = {
  watch: (intentId, request, progress) => watchExecution(intentId, request, convertNarration, progress),
  ask: askText,
  describe: describeConversion,
  lines: movementLines,
  movementOf: ({ orderId }) => (orderId === undefined ? 'the latest orders' : `order ${orderId}`),
}

export function describeConversion(result: ConvertResult, request: ConvertRequest): string {
  if (result.outcome === ConvertEnd.Filled) {
    const verb = request.side === 'BUY' ? 'bought' : 'sold'
    return `${verb} ${filledText(result, request)}, order ${result.orderId ?? '?'}`
  }
  return result.why ?? 'no reason was given'
}

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
