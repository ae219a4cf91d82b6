// Lists the questions of `sluice setup init` for a payouts policy. Its contacts are in the files.
import { type KindSetup, listed } from '../questions.ts'

export const setup: KindSetup = {
  asks: ['assets', 'from'],
  convertedBy: 'from',
  sent: (answerOf) => listed(answerOf('assets')),
  draft: (answerOf) => ({
    assets: listed(answerOf('assets')),
    from: listed(answerOf('from')).map((asset) => ({ asset })),
  }),
}
