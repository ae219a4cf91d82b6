// Collects the output of a benchmark: figures, each with the baseline of the same run, and lines of text.
import type { Spread } from './paired.ts'

export interface Figure {
  /** The name of the measurement. With its benchmark's name it is the same in every run. */
  readonly name: string
  readonly unit: 'ms' | 'µs' | 'kB' | 'MB' | 'a second' | 's' | 'calls' | 'reads' | 'requests' | 'USD'
  readonly value: number
  /** The same work done in another way, in turn with it. */
  readonly baseline?: { readonly name: string; readonly value: number }
  /** The value divided by the baseline, pair by pair: comparable between machines and commits. */
  readonly ratio?: Spread
  /** The value divided by a fixed bound. It depends on the machine, so runs are not compared by it. */
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
