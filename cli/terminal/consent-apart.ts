// Asks for consent while nothing is held: work that needs a yes is broken off before it writes, the person is asked, and
// the work is done again from its beginning. So a question that stands open overnight keeps no state directory from
// others, and what the yes rests on is examined after it, too.

import { type Consent, ConsentNeeded, type WithConsent } from '../../operations/consent.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { OperationError } from '../../operations/operation-error.ts'
import { type ConsentFlags, requireConsent } from './consent.ts'
import type { CommandContext } from './context.ts'

/** A question whose facts change while it is asked is asked anew, but not for ever. */
const MOST_QUESTIONS = 3

/** `work` may be begun several times, and writes nothing before it has consent. @throws OperationError, as requireConsent */
export async function withConsent<Result>(
  flags: ConsentFlags,
  context: Pick<CommandContext, 'stdin' | 'output'>,
  work: (consent: Consent) => Promise<Result>,
): Promise<Result> {
  let agreed: string | undefined
  const consent: Consent = {
    isGiven: (question) => question === agreed,
    to(question) {
      if (flags.yes !== true && question !== agreed) throw new ConsentNeeded(question)
    },
  }
  for (let questions = 0; questions <= MOST_QUESTIONS; questions += 1) {
    try {
      return await work(consent)
    } catch (error) {
      if (!(error instanceof ConsentNeeded)) throw error
      if (questions === MOST_QUESTIONS) break
      await requireConsent(error.question, flags, context)
      agreed = error.question
    }
  }
  throw new OperationError({
    exitCode: ExitCode.Failed,
    code: 'declined',
    message: 'what is asked has changed each time that it was answered; nothing was changed',
    next: 'run the same command again',
  })
}

/** The same for an operation that does such work on its way. */
export function askingAt(flags: ConsentFlags, context: Pick<CommandContext, 'stdin' | 'output'>): WithConsent {
  return (work) => withConsent(flags, context, work)
}
