// Puts a conversion that a person runs into words.

import type { ConvertRequest } from '../../core/contract/convert.ts'
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import type { ConvertResult } from '../../operations/runs/conversion.ts'
import { askText } from '../../operations/words/request-words.ts'
import { convertNarration, filledText } from '../narration/convert-lines.ts'
import { watchExecution } from '../narration/watch-execution.ts'
import { movementLines } from './movement-lines.ts'
import type { RunWords } from './run-words.ts'

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
