// What a benchmark tells: figures, each with the baseline that was measured in the same run, and lines of words.
import type { Spread } from './spread.ts'

export interface Figure {
  /** What was measured; with its benchmark's name it is the same in every run. */
  readonly name: string
  readonly unit: 'ms' | 'µs' | 'kB' | 'MB' | 'a second' | 'requests' | 'USD'
  /** The median. */
  readonly value: number
  /** The same work done in another way, in turn with it. */
  readonly baseline?: { readonly name: string; readonly value: number }
  /** Value by baseline, pair by pair. What is compared between machines and commits. */
  readonly ratio?: Spread
  /** Value by a bound that is not measured. It changes with the machine, so that nothing is compared by it. */
  readonly share?: { readonly of: number; readonly name: string }
  /** The ratio, or the share, may be this at most. */
  readonly goal?: number
}

/** A figure with the benchmark that it is of. */
export interface Measured extends Figure {
  readonly benchmark: string
}

export interface Report {
  /** A line for people: what no ratio can say. */
  note(line: string): void
  figure(figure: Figure): void
}
