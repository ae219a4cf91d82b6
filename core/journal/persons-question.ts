// What a person is asked for a yes to before their word is recorded, and what is done upon it.
import { createHash } from 'node:crypto'
import type { PersonsWord } from './journal.ts'

export interface PersonsQuestion<Done> {
  /** With names that others chose: to be made printable where it is shown. */
  readonly question: string
  /** Examines again, and records. @throws Refused with why not. @throws Transient, also where somebody else was first; Defect */
  carryOut(word: PersonsWord): Promise<Done>
}

/** By which a person's yes names the question of a function, to the letter: SHA-256 as hex. */
export function questionHash(question: string): string {
  return createHash('sha256').update(question).digest('hex')
}
