// Defines the question to which a person must agree before their decision is recorded, and the act that follows. It
// asks nobody.
import { createHash } from 'node:crypto'
import type { PersonsDecision } from './journal.ts'

export interface PersonsQuestion<Done> {
  /** Contains names that others chose, so it must be made printable before it is shown. */
  readonly question: string
  /**
   * Examines the evidence again, and records the decision.
   * @throws Refused with the reason
   * @throws Transient, also if somebody was first; Defect
   */
  carryOut(decision: PersonsDecision): Promise<Done>
}

/** SHA-256 of the question as hex. A person's yes carries it, so that it counts for this exact text only. */
export function questionHash(question: string): string {
  return createHash('sha256').update(question).digest('hex')
}
