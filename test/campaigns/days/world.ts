// Defines a world of the simulated days: a treasury, its events and their times, the acts between two steps of a run,
// and additional promises. The observer checks every world besides.
import type { Evidence } from './evidence.ts'
import type { Hands } from './hands.ts'
import type { TreasuryFile } from './treasury-file.ts'

/** A moment between two steps. */
export interface Moment {
  /** Names of a state machine and of a state, or a method and a path of the service. */
  readonly where: string
  readonly what: string
  /** The execution's name; absent for a request. */
  readonly execution?: string
}

export interface Happening {
  readonly atMs: number
  readonly do: (hands: Hands) => void | Promise<void>
}

export interface Plot {
  readonly file: TreasuryFile
  readonly happenings: readonly Happening[]
  /** Called before the service sees a request. */
  readonly onRequest?: (moment: Moment, hands: Hands) => void
  /** Called when an execution has left a state. */
  readonly onStep?: (moment: Moment, hands: Hands) => void
  /** Additional promises of this world: returns a sentence for each broken one. */
  readonly expect?: (evidence: Evidence) => readonly string[]
}

/** Contacts of the sandbox, by reference. */
export type ContactIds = (reference: string) => string

export interface World {
  readonly name: string
  /** One line of the program's help. */
  readonly says: string
  readonly startMs: number
  /** The file that is deployed in place of the plot's. The observer judges by the plot's. */
  readonly deployed?: (file: TreasuryFile) => TreasuryFile
  readonly plot: (seed: number, days: number, contact: ContactIds) => Plot
}
