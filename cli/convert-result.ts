// Reads the result of a conversion off its finished execution: the output, or for an end that
// raises an alarm the cause.
import { type ConvertReport, type ConvertRequest, convertReport } from '../functions/contract/convert.ts'
import { ConvertEnd } from '../functions/contract/outcomes.ts'
import { filledText } from './progress/event-lines.ts'

/** The part of a DescribeExecution answer that is read here. */
export interface FinishedExecution {
  readonly name: string
  readonly status: string
  readonly output?: string | undefined
  readonly error?: string | undefined
  readonly cause?: string | undefined
}

/** The fields that callers build on, in this order (design, section 6). */
export type ConvertResult = Omit<ConvertReport, 'until' | 'waitSeconds' | 'waits'>

/** An execution that ended without a report is in doubt, and says so: NEEDS_ATTENTION. */
export function convertResultOf(execution: FinishedExecution): ConvertResult {
  const report = parseReport(execution.status === 'SUCCEEDED' ? execution.output : execution.cause)
  if (report !== undefined) return inOrder(report)
  return {
    outcome: ConvertEnd.NeedsAttention,
    intentId: execution.name,
    why: `the execution ended ${execution.status}${execution.error === undefined ? '' : ` with ${execution.error}`} and without a result`,
  }
}

function parseReport(text: string | undefined): ConvertReport | undefined {
  try {
    return convertReport.safeParse(JSON.parse(text ?? '')).data
  } catch {
    return undefined
  }
}

function inOrder(report: ConvertReport): ConvertResult {
  const { outcome, intentId, orderId, market, side, rate, baseAmount, quoteAmount, fills, attempts, why } = report
  const ordered = { outcome, intentId, orderId, market, side, rate, baseAmount, quoteAmount, fills, attempts, why }
  return Object.fromEntries(Object.entries(ordered).filter(([, value]) => value !== undefined)) as ConvertResult
}

/** One sentence for a person. */
export function describeResult(result: ConvertResult, request: ConvertRequest): string {
  if (result.outcome === ConvertEnd.Filled) {
    const verb = request.side === 'BUY' ? 'bought' : 'sold'
    return `${verb} ${filledText(result, request)}, order ${result.orderId ?? '?'}`
  }
  return result.why ?? 'no reason was given'
}
