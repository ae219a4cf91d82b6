// The consent of a person, as an operation asks for it: it knows of nobody who gives it.

export interface Consent {
  /** Whether the person has said yes to this very question. */
  isGiven(question: string): boolean
  /** Returns where consent is there. Else it throws what ends the work: `withConsent` asks, and begins it again. */
  to(question: string): void
}
