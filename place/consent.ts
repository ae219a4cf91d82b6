// Defines how an operation asks for a person's consent. The operation does not know who gives it. An answer belongs to the
// question and to the facts that it was shown with: where one of them differs later, the person is asked anew.

import { hashParams } from '../core/params-hash.ts'
import { ExitCode } from './exit-code.ts'
import { advice, option } from './next-step.ts'
import { OperationError } from './operation-error.ts'

export interface Consent {
  /** Whether the person has agreed to exactly this question. */
  isGiven(question: string): boolean
  /**
   * Returns where the person has agreed. Else it throws: `withConsent` asks, and begins the work again. `facts`: what the
   * person is shown beside the question.
   */
  to(question: string, facts?: unknown): void
}

/**
 * Does work that needs consent. A caller that can ask a person repeats the work after the answer, so that nothing is
 * held while the person thinks. The work writes nothing before it has consent.
 */
export type WithConsent = <Result>(work: (consent: Consent) => Promise<Result>) => Promise<Result>

/** An OperationError, so that every layer between passes it on unchanged. */
export class ConsentNeeded extends OperationError {
  readonly question: string
  /** The answer that agrees to the question, for `consentOf`. */
  readonly yes: string

  constructor(question: string, facts?: unknown) {
    const message = `consent is needed to ${question}`
    super({ exitCode: ExitCode.Usage, code: 'declined', message, next: advice`add ${option('yes')}` })
    this.question = question
    this.yes = yesTo(question, facts)
  }
}

/**
 * For a caller that asks nobody. `answer`: true agrees to all in advance; a `yes` of ConsentNeeded agrees to that question
 * with its facts. Any other question ends the work. @throws ConsentNeeded
 */
export function consentOf(answer: true | string): WithConsent {
  return (work) =>
    work({
      isGiven: (question) => answer === yesTo(question),
      to(question, facts) {
        if (answer !== true && answer !== yesTo(question, facts)) throw new ConsentNeeded(question, facts)
      },
    })
}

/** SHA-256, hex. */
export function yesTo(question: string, facts?: unknown): string {
  return hashParams({ question, facts })
}
