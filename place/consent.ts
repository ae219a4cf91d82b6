// Defines how an operation asks for a person's consent. The operation does not know who gives it.

import { ExitCode } from './exit-code.ts'
import { OperationError } from './operation-error.ts'

export interface Consent {
  /** Whether the person has agreed to exactly this question. */
  isGiven(question: string): boolean
  /** Returns where the person has agreed. Else it throws: `withConsent` asks, and begins the work again. */
  to(question: string): void
}

/**
 * Does work that needs consent. A caller that can ask a person repeats the work after the answer, so that nothing is
 * held while the person thinks. The work writes nothing before it has consent.
 */
export type WithConsent = <Result>(work: (consent: Consent) => Promise<Result>) => Promise<Result>

/** An OperationError, so that every layer between passes it on unchanged. */
export class ConsentNeeded extends OperationError {
  readonly question: string

  constructor(question: string) {
    const message = `consent is needed to ${question}`
    super({ exitCode: ExitCode.Usage, code: 'declined', message, next: 'add --yes' })
    this.question = question
  }
}

/** For a caller that asks nobody: agreed in advance, or the first question ends the work. @throws ConsentNeeded */
export function consentOf(isYes: boolean): WithConsent {
  return (work) =>
    work({
      isGiven: () => false,
      to(question) {
        if (!isYes) throw new ConsentNeeded(question)
      },
    })
}
