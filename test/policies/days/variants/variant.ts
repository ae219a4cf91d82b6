// What a naive variant is, and how a table of them is written.
import type { Edit } from '../../../simulation/mutant.ts'

export interface Variant {
  readonly about: string
  /** Where it is caught, and by which finding: one that the product itself does not give. */
  readonly world: string
  readonly finding: RegExp
  readonly edits: readonly Edit[]
}

export const variant = (world: string, finding: RegExp, about: string, ...edits: Edit[]): Variant => ({
  about,
  world,
  finding,
  edits,
})
