// Defines a world of `npm run campaign`: a place in which processes run, what goes wrong in it, and how its seed is played. Each
// world ends in the same report: the promises that were broken, and what happened.
import type { ProfileName } from '@sluice/service-sandbox'

export interface CampaignWorld {
  readonly name: string
  /** One line of the program's help. */
  readonly says: string
  /** The unit of its size, with the usual and the largest number. */
  readonly size: { readonly of: string; readonly usual: number; readonly most: number }
  /** It breaks a promise, and is not among all worlds. */
  readonly isBroken?: boolean
  play(given: Given): Promise<Played>
}

export interface Given {
  readonly size: number
  readonly seed: number
  /** How untidy the sandbox is. Absent: as its world says. */
  readonly profile: ProfileName | undefined
  /** Path of a file for what a world keeps of what happened. */
  readonly keep: string | undefined
}

export interface Played {
  /** Sentences, one for each broken promise. */
  readonly violations: readonly string[]
  /** Lines that say what happened. */
  readonly facts: readonly string[]
}
