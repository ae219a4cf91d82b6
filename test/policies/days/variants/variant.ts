// How a table of variants is written.
import type { Edit } from '../../../simulation/mutant.ts'
import type { Variant } from '../variants.ts'

export const variant = (world: string, finding: RegExp, about: string, ...edits: Edit[]): Variant => ({
  ...{ about, world, finding, edits },
})
