// The result of `sluice run convert`: the fields that callers build on, and one sentence for a person.
import { type ConvertReport, type ConvertRequest, convertReport } from '../../core/contract/convert.ts'
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { filledText } from '../narration/convert-lines.ts'
import type { FinishedExecution } from './operation.ts'
import { present, reportIn, withoutReport } from './run-result.ts'

/** The fields that callers build on, in this order (design, section 6). */
export type ConvertResult = Omit<ConvertReport, 'until' | 'waitSeconds' | 'waits'>

export function convertResultOf(execution: FinishedExecution): ConvertResult {
  const report = reportIn(execution, convertReport)
  if (report === undefined) return withoutReport(execution)
  const { outcome, intentId, orderId, market, side, rate, baseAmount, quoteAmount, fills, attempts } = report
  const { why, guardedBy } = report
  return present({
    ...{ outcome, intentId, orderId, market, side, rate, baseAmount, quoteAmount, fills, attempts },
    ...{ why, guardedBy },
  })
}

export function describeConversion(result: ConvertResult, request: ConvertRequest): string {
  if (result.outcome === ConvertEnd.Filled) {
    const verb = request.side === 'BUY' ? 'bought' : 'sold'
    return `${verb} ${filledText(result, request)}, order ${result.orderId ?? '?'}`
  }
  return result.why ?? 'no reason was given'
}
