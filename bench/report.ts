// Collects the output of a benchmark: figures, each with the baseline of the same run, and lines of text.
import type { Spread } from './paired.ts'

export interface Figure {
  /** The name of the measurement. With its benchmark's name it is the same in every run. */
  readonly name: string
  readonly unit: 'ms' | 'µs' | 'kB' | 'MB' | 'a second' | 's' | 'calls' | 'reads' | 'requests' | 'USD'
  readonly value: number
  /** The same work done in another way, in turn with it. */
  readonly baseline?: { readonly name: string; readonly value: number }
  /** Value by baseline, pair by pair. This is compared between machines and commits. */
  readonly ratio?: Spread
  /** Value by a bound that is not measured. It changes with the machine, so it is used for no comparison. */
  readonly share?: { readonly of: number; readonly name: string }
  /** The largest acceptable ratio, or share. */
  readonly goal?: number
}

/** A figure with the benchmark that it belongs to. */
export interface Measured extends Figure {
  readonly benchmark: string
}

export interface Report {
  /** A line for people, with facts that no ratio can express. */
  note(line: string): void
  figure(figure: Figure): void
}
