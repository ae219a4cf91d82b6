// What a mutant is: a text change of the product's own files, made in memory when the simulation is bundled.
import type { WorldName } from './campaign.ts'
import type { Untidy } from './untidiness.ts'

export interface Edit {
  readonly file: string
  /** There exactly once, or the mutant is refused. */
  readonly find: string
  readonly replace: string
}

export interface Mutant {
  readonly about: string
  /** Where it is caught. */
  readonly world: WorldName
  readonly edits: readonly Edit[]
  /** The ways of untidiness that it takes, where it is rare among all of them. */
  readonly untidy?: readonly Untidy[]
}

export const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace })
export const mutant = (world: WorldName, about: string, ...edits: Edit[]): Mutant => ({ about, world, edits })
/** Hunted where the world is untidy in these ways alone. */
export const amid = (untidy: readonly Untidy[], rare: Mutant): Mutant => ({ ...rare, untidy })
