// `sluice run convert`: the operation of a conversion, its result for callers, and the sentence for a person.
import { type ConvertReport, type ConvertRequest, convertReport, convertRequest } from '../../core/contract/convert.ts'
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { KeyRole } from '../../core/contract/treasury.ts'
import { askText, convertNarration, filledText } from '../narration/convert-lines.ts'
import { watchExecution } from '../narration/watch-execution.ts'
import { convertExitCode } from '../terminal/exit-code.ts'
import { testOfConversion } from './new-directory/movement-test.ts'
import { type FinishedExecution, type Operation, present, reportIn, withoutReport } from './operation.ts'
import { movementLines } from './print-result.ts'

export const conversion: Operation<ConvertRequest, ConvertResult> = {
  verb: 'convert',
  stateMachine: StateMachine.Convert,
  schema: convertRequest,
  noun: 'conversion',
  doubt: 'an order may have been placed',
  keyRoles: () => [KeyRole.Trade],
  movesOf: testOfConversion,
  watch: (intentId, request, progress) => watchExecution(intentId, request, convertNarration, progress),
  ask: askText,
  resultOf: convertResultOf,
  exitCode: ({ outcome }) => convertExitCode(outcome),
  describe: describeConversion,
  lines: movementLines,
  movementOf: ({ orderId }) => (orderId === undefined ? 'the latest orders' : `order ${orderId}`),
}

/** The fields that callers rely on, in this order. */
type ConvertResult = Omit<ConvertReport, 'until' | 'waitSeconds' | 'waits'>

export function convertResultOf(execution: FinishedExecution): ConvertResult {
  const report = reportIn(execution, convertReport)
  if (report === undefined) return withoutReport(execution)
  const { outcome, intentId, orderId, market, side, rate, baseAmount, quoteAmount, fills, attempts } = report
  const { why, guardedBy } = report
  return present({
    outcome,
    intentId,
    orderId,
    market,
    side,
    rate,
    baseAmount,
    quoteAmount,
    fills,
    attempts,
    why,
    guardedBy,
  })
}

export function describeConversion(result: ConvertResult, request: ConvertRequest): string {
  if (result.outcome === ConvertEnd.Filled) {
    const verb = request.side === 'BUY' ? 'bought' : 'sold'
    return `${verb} ${filledText(result, request)}, order ${result.orderId ?? '?'}`
  }
  return result.why ?? 'no reason was given'
}
