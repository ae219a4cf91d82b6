// What a mutant of the simulation is, and how a table of them is written.
import type { Edit, Mutant } from '../mutants/source-edits.ts'
import type { WorldName } from './campaign.ts'
import type { Untidy } from './untidiness.ts'

export type { Edit } from '../mutants/source-edits.ts'
export { edit } from '../mutants/source-edits.ts'

/** A naive variant of a decision that the simulation must catch. */
export interface SimulatedMutant extends Mutant {
  /** The world in which it is caught. */
  readonly world: WorldName
  /** The ways of untidiness that it takes, where it is rare among all of them. */
  readonly untidy?: readonly Untidy[]
}

export const mutant = (world: WorldName, about: string, ...edits: Edit[]): SimulatedMutant => ({ about, world, edits })
/** It is hunted where the world is untidy in these ways alone. */
export const amid = (untidy: readonly Untidy[], rare: SimulatedMutant): SimulatedMutant => ({ ...rare, untidy })
