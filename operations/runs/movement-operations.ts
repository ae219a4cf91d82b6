// Defines the operations of `sluice run convert` and `sluice run withdraw`, and makes their results for callers.

import { type ConvertReport, type ConvertRequest, convertReport, convertRequest } from '../../core/contract/convert.ts'
import { KeyRole } from '../../core/contract/service-settings.ts'
import { StateMachine } from '../../core/contract/states.ts'
import {
  type WithdrawReport,
  type WithdrawRequest,
  withdrawReport,
  withdrawRequest,
} from '../../core/contract/withdraw.ts'
import { convertExitCode, withdrawExitCode } from '../../place/exit-code.ts'
import { testOfConversion, testOfWithdrawal } from './new-directory/movement-test.ts'
import { type FinishedExecution, type Operation, type RunResult, reportIn, withoutReport } from './operation.ts'

export type ConvertResult = Omit<ConvertReport, 'until' | 'waitSeconds' | 'waits'>
export type WithdrawResult = Omit<WithdrawReport, 'until' | 'waitSeconds' | 'waits'>

/** The fields that callers rely on, in this order. */
const CONVERTED = [
  ...(['outcome', 'intentId', 'orderId', 'market', 'side', 'rate', 'baseAmount', 'quoteAmount'] as const),
  ...(['fills', 'attempts', 'why', 'guardedBy'] as const),
]
const WITHDRAWN = [
  ...(['outcome', 'intentId', 'withdrawalId', 'assetSymbol', 'amount', 'fee', 'total', 'isByBalance'] as const),
  ...(['transactionHash', 'bankReference', 'attempts', 'candidates', 'why', 'guardedBy'] as const),
]

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

export function convertResultOf(execution: FinishedExecution): ConvertResult {
  return present(reportIn(execution, convertReport), CONVERTED) ?? withoutReport(execution)
}

export function withdrawResultOf(execution: FinishedExecution): WithdrawResult {
  return present(reportIn(execution, withdrawReport), WITHDRAWN) ?? withoutReport(execution)
}

/** Leaves out the fields that have no value, and keeps the order. */
function present<Report extends RunResult, Field extends keyof Report>(
  report: Report | undefined,
  fields: readonly Field[],
): Pick<Report, Field> | undefined {
  if (report === undefined) return undefined
  const known = fields.flatMap((name) => (report[name] === undefined ? [] : [[name, report[name]]]))
  // The type system cannot follow fields through a list of entries.
  return Object.fromEntries(known) as Pick<Report, Field>
}
