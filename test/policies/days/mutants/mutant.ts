// Defines the mutants of the days, and the functions that write a table of mutants.
import type { Edit, Mutant } from '../../../mutants/source-edits.ts'

/** A naive guard or plan that the observer must catch. */
export interface DaysMutant extends Mutant {
  /** The world in which it is caught. */
  readonly world: string
  /** Matches a finding that the unchanged product does not give. */
  readonly finding: RegExp
}

export const mutant = (world: string, finding: RegExp, about: string, ...edits: Edit[]): DaysMutant => ({
  about,
  world,
  finding,
  edits,
})
