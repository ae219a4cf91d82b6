// `sluice run convert`: what a conversion is to the command line.
import { type ConvertRequest, convertRequest } from '../../core/contract/convert.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { KeyRole } from '../../core/contract/treasury.ts'
import { askText, convertNarration } from '../narration/convert-lines.ts'
import { watchExecution } from '../narration/watch-execution.ts'
import { convertExitCode } from '../terminal/exit-code.ts'
import { type ConvertResult, convertResultOf, describeConversion } from './convert-result.ts'
import { testOfConversion } from './new-directory/movement-test.ts'
import type { Operation } from './operation.ts'

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
  movementOf: ({ orderId }) => (orderId === undefined ? 'the latest orders' : `order ${orderId}`),
}
