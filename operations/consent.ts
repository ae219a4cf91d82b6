// The consent of a person, as an operation asks for it: it knows of nobody who gives it.

import { ExitCode } from './exit-code.ts'
import { OperationError } from './operation-error.ts'

export interface Consent {
  /** Whether the person has said yes to this very question. */
  isGiven(question: string): boolean
  /** Returns where consent is there. Else it throws what ends the work: `withConsent` asks, and begins it again. */
  to(question: string): void
}

/**
 * Does work that needs consent. A face that can ask a person begins the work again after the answer, so that nothing is
 * held while the person thinks: the work writes nothing before it has consent.
 */
export type WithConsent = <Result>(work: (consent: Consent) => Promise<Result>) => Promise<Result>

/** An OperationError, because nobody between the work and whoever asks words one of these anew. */
export class ConsentNeeded extends OperationError {
  readonly question: string

  constructor(question: string) {
    const message = `consent is needed to ${question}`
    super({ exitCode: ExitCode.Usage, code: 'declined', message, next: 'add --yes' })
    this.question = question
  }
}

/** For a face that asks nobody: a person has said yes before, or the first question ends the work. @throws ConsentNeeded */
export function consentOf(isYes: boolean): WithConsent {
  return (work) =>
    work({
      isGiven: () => false,
      to(question) {
        if (!isYes) throw new ConsentNeeded(question)
      },
    })
}
