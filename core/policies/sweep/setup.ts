// Lists the questions of `sluice setup init` for a sweep policy with one rule.
import { type KindSetup, listed } from '../questions.ts'

export const setup: KindSetup = {
  asks: ['assets', 'keep', 'contact'],
  convertedBy: 'assets',
  draft: (answerOf) => ({
    rules: [{ assets: listed(answerOf('assets')), keep: { target: answerOf('keep') }, contactId: answerOf('contact') }],
  }),
  sent: (answerOf) => listed(answerOf('assets')),
}
