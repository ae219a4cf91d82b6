// Defines the operation of `sluice run convert`, and makes its result for callers.
import { type ConvertReport, type ConvertRequest, convertReport, convertRequest } from '../../core/contract/convert.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { convertExitCode } from '../../place/exit-code.ts'
import { testOfConversion } from './new-directory/movement-test.ts'
import { type FinishedExecution, type Operation, present, reportIn, withoutReport } from './operation.ts'

export const conversion: Operation<ConvertRequest, ConvertResult> = {
  verb: 'convert',
  stateMachine: StateMachine.Convert,
  schema: convertRequest,
  noun: 'conversion',
  keyRoles: () => [KeyRole.Trade],
  movesOf: testOfConversion,
  resultOf: convertResultOf,
  exitCode: ({ outcome }) => convertExitCode(outcome),
}

/** The fields that callers rely on, in this order. */
export type ConvertResult = Omit<ConvertReport, 'until' | 'waitSeconds' | 'waits'>

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
