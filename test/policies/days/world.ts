// What a world of the simulated days is: a treasury, what befalls it and when, what happens between two steps of
// a run, and what must have come of it besides what the observer holds every world to.
import type { Evidence } from './evidence.ts'

/** The text of treasury.json, before it is read. */
// biome-ignore lint/suspicious/noExplicitAny: a file is edited as people edit it, also into what no schema takes
export type TreasuryFile = any

/** A moment between two steps. */
export interface Moment {
  /** Names of a state machine and of a state, or a method and a path of the service. */
  readonly where: string
  readonly what: string
  /** The execution's name; none of a request. */
  readonly execution?: string
}

export interface Hands {
  nowMs(): number
  /** A call of the sandbox's control API, done when it returns, and noted. */
  control(path: string, body: object): void
  /** No request meets a fault any more. */
  clearRules(): void
  /** Fixes the middle price of a market. */
  price(market: string, mid: number): void
  /** What is available of an asset. */
  available(asset: string): number
  /** Money goes by another way: a card, a person. No more than there is. */
  spend(asset: string, amount: number): void
  /**
   * treasury.json is another from now on, deployed anew while runs are under way. `renamed`: former names by new
   * ones. A file that is refused is noted, and the former stays.
   */
  edit(change: (file: TreasuryFile) => TreasuryFile, renamed?: Readonly<Record<string, string>>): void
  /** A person starts a run of a policy now. */
  start(policy: string): void
  /** A person approves whatever waits, as it is shown. Resolves once each goes on. */
  approve(): Promise<void>
}

export interface Happening {
  readonly atMs: number
  readonly do: (hands: Hands) => void | Promise<void>
}

export interface Plot {
  readonly file: TreasuryFile
  readonly happenings: readonly Happening[]
  /** Before the service sees a request. */
  readonly onRequest?: (moment: Moment, hands: Hands) => void
  /** When an execution has left a state. */
  readonly onStep?: (moment: Moment, hands: Hands) => void
  /** What must hold of this world besides: a sentence for each broken promise. */
  readonly expect?: (evidence: Evidence) => readonly string[]
}

/** Contacts of the sandbox, by reference. */
export type ContactIds = (reference: string) => string

export interface World {
  readonly name: string
  /** One line of the program's help. */
  readonly says: string
  readonly startMs: number
  readonly plot: (seed: number, days: number, contact: ContactIds) => Plot
}
