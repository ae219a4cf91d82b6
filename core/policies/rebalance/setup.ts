// Lists the questions of `sluice setup init` for a rebalance policy.
import { type KindSetup, listed } from '../questions.ts'

export const setup: KindSetup = {
  asks: ['weights'],
  convertedBy: 'weights',
  draft: (answerOf) => ({
    weights: Object.fromEntries(listed(answerOf('weights')).map((part) => part.split('=', 2))),
  }),
}
