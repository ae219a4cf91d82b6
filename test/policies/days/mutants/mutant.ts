// What a mutant of the days is, and how a table of them is written.
import type { Edit, Mutant } from '../../../mutants/source-edits.ts'

/** A naive guard or plan that the observer must see through. */
export interface DaysMutant extends Mutant {
  /** The world in which it is caught. */
  readonly world: string
  /** Matches a finding that the product itself does not give. */
  readonly finding: RegExp
}

export const mutant = (world: string, finding: RegExp, about: string, ...edits: Edit[]): DaysMutant => ({
  about,
  world,
  finding,
  edits,
})
