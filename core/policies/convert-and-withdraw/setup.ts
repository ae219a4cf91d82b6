// Lists the questions of `sluice setup init` for a convert-and-withdraw policy.
import type { KindSetup } from '../questions.ts'

export const setup: KindSetup = {
  asks: ['sell', 'into', 'keep', 'contact'],
  convertedBy: 'into',
  draft: (answerOf) => ({
    from: answerOf('sell'),
    into: answerOf('into'),
    keep: { target: answerOf('keep') },
    contactId: answerOf('contact'),
  }),
  sent: (answerOf) => [answerOf('into')],
}
