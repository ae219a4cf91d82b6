// Lists the questions of `sluice setup init` for a convert-on-arrival policy.
import type { KindSetup } from '../questions.ts'

export const setup: KindSetup = {
  asks: ['asset', 'into', 'keep'],
  convertedBy: 'into',
  draft: (answerOf) => ({ asset: answerOf('asset'), into: answerOf('into'), keep: { target: answerOf('keep') } }),
}
