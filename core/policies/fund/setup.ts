// Lists the questions of `sluice setup init` for a fund policy.
import { type KindSetup, listed } from '../questions.ts'

export const setup: KindSetup = {
  asks: ['asset', 'at-least', 'from'],
  convertedBy: 'from',
  draft: (answerOf) => ({
    asset: answerOf('asset'),
    atLeast: answerOf('at-least'),
    from: listed(answerOf('from')).map((asset) => ({ asset })),
  }),
}
