// Defines the mutants of the simulation, and the functions that write a table of mutants.
import type { Edit, Mutant } from '../mutants/source-edits.ts'
import type { WorldName } from './campaign.ts'
import type { Untidy } from './untidiness.ts'

export type { Edit } from '../mutants/source-edits.ts'
export { edit } from '../mutants/source-edits.ts'

/** A naive variant of a decision that the simulation must catch. */
export interface SimulatedMutant extends Mutant {
  /** The world in which it is caught. */
  readonly world: WorldName
  /** The kinds of untidiness in which it is caught, if it is rare among all kinds. */
  readonly untidy?: readonly Untidy[]
}

export const mutant = (world: WorldName, about: string, ...edits: Edit[]): SimulatedMutant => ({ about, world, edits })
/** Hunts a mutant only where the world is untidy in these ways. */
export const amid = (untidy: readonly Untidy[], rare: SimulatedMutant): SimulatedMutant => ({ ...rare, untidy })
