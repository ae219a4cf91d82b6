// Asks for consent while no lock is held. Work that needs a yes stops before it writes. The person is asked, and the work
// starts again from its beginning. So an open question never blocks a state directory overnight, and the facts behind the yes
// are checked after it, too.

import { type Consent, ConsentNeeded, type WithConsent, yesTo } from '../../place/consent.ts'
import { failedWith } from '../../place/operation-error.ts'
import { type ConsentFlags, requireConsent } from './consent.ts'
import type { CommandContext } from './context.ts'

/** Maximum questions of one command. A question whose facts change meanwhile is asked again. */
const MOST_QUESTIONS = 3

/**
 * `work` may be started several times, and must write nothing before it has consent.
 * @throws OperationError, as requireConsent
 */
export async function withConsent<Result>(
  flags: ConsentFlags,
  context: Pick<CommandContext, 'stdin' | 'output'>,
  work: (consent: Consent) => Promise<Result>,
): Promise<Result> {
  let agreed: string | undefined
  const consent: Consent = {
    isGiven: (question) => yesTo(question) === agreed,
    to(question, facts) {
      if (flags.yes !== true && yesTo(question, facts) !== agreed) throw new ConsentNeeded(question, facts)
    },
  }
  for (let questions = 0; questions <= MOST_QUESTIONS; questions += 1) {
    try {
      return await work(consent)
    } catch (error) {
      if (!(error instanceof ConsentNeeded)) throw error
      if (questions === MOST_QUESTIONS) break
      await requireConsent(error.question, flags, context)
      agreed = error.yes
    }
  }
  throw failedWith(
    'declined',
    'the question has changed each time that it was answered; nothing was changed',
    'run the same command again',
  )
}

/** The same for an operation that asks while it runs. */
export function askingAt(flags: ConsentFlags, context: Pick<CommandContext, 'stdin' | 'output'>): WithConsent {
  return (work) => withConsent(flags, context, work)
}
